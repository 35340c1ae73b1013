/** An entry knows its neighbours, so that it can leave the queue from anywhere. */
export interface Queued<T> {
  ahead: T | undefined;
  behind: T | undefined;
}

/**
 * First in, first out, with removal of any entry. A Set that loses its first members becomes slow to read.
 */
export class Queue<T extends Queued<T>> {
  #first: T | undefined;
  #last: T | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get first(): T | undefined {
    return this.#first;
  }

  has(item: T): boolean {
    return this.#first === item || item.ahead !== undefined;
  }

  add(item: T): void {
    item.ahead = this.#last;
    if (this.#last) this.#last.behind = item;
    else this.#first = item;
    this.#last = item;
    this.#size++;
  }

  delete(item: T): void {
    const { ahead, behind } = item;
    if (!this.has(item)) return;
    if (ahead) ahead.behind = behind;
    else this.#first = behind;
    if (behind) behind.ahead = ahead;
    else this.#last = ahead;
    item.ahead = undefined;
    item.behind = undefined;
    this.#size--;
  }
}
