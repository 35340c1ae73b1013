import { footprint } from "../store/size.ts";

/** Enough for every test of an agent, and little beside what its tasks take. */
const mostBytes = 512 * 1024;

/**
 * What an agent keeps in mind of what clients sent: the latest of it. A mutant or a variant that remembers everything
 * would be the way to the memory of the whole test bed.
 */
export class RecentMap<V> extends Map<string, V> {
  readonly #costs = new Map<string, number>();
  #bytes = 0;

  override set(key: string, value: V): this {
    this.delete(key);
    super.set(key, value);
    this.#charge(key, footprint(key) + footprint(value));
    // What a promise comes to is known when it is kept.
    if (value instanceof Promise) {
      value.then(
        (kept) => {
          if (this.get(key) === value) this.#charge(key, footprint(kept));
        },
        () => {},
      );
    }
    return this;
  }

  override delete(key: string): boolean {
    this.#bytes -= this.#costs.get(key) ?? 0;
    this.#costs.delete(key);
    return super.delete(key);
  }

  #charge(key: string, bytes: number): void {
    this.#costs.set(key, (this.#costs.get(key) ?? 0) + bytes);
    this.#bytes += bytes;
    while (this.#bytes > mostBytes) this.delete(this.keys().next().value!);
  }
}

/** Which of them an agent has met: the latest. */
export class RecentSet {
  readonly #members = new RecentMap<true>();

  add(member: string): void {
    // One that is known keeps its place.
    if (!this.#members.has(member)) this.#members.set(member, true);
  }

  has(member: string): boolean {
    return this.#members.has(member);
  }

  delete(member: string): void {
    this.#members.delete(member);
  }

  /** the earliest first */
  [Symbol.iterator](): IterableIterator<string> {
    return this.#members.keys();
  }
}
