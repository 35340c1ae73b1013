/** An entry knows its neighbours, so that it can leave the queue from anywhere. */
export interface Queued<T> {
  ahead: T | undefined;
  behind: T | undefined;
}

/**
 * First in, first out, with removal of any entry. Holds what belongs to one request, connection, stream or task.
 *
 * A Set or Map must not hold such objects. When it grows or shrinks, V8 links its old table to the new one, and the old
 * table keeps its entries. Once one table is in the old generation, everything that ever passed through the Set is moved
 * there, too, and stays until the next full collection.
 */
export class Queue<T extends Queued<T>> implements Iterable<T> {
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

  /** The reader may delete the entry that it just got. */
  *[Symbol.iterator](): Generator<T, void, undefined> {
    for (let item = this.#first; item; ) {
      const next: T | undefined = item.behind;
      yield item;
      item = next;
    }
  }
}
