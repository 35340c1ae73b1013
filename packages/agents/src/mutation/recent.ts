import { footprint } from "../store/size.ts";

/** Enough for every test of an agent, and small compared to its tasks. */
const mostBytes = 512 * 1024;

/**
 * Keeps the latest entries that clients caused. Without a limit, a client could fill the memory of the whole
 * test bed through a mutant or variant.
 */
export class RecentMap<V> extends Map<string, V> {
  readonly #costs = new Map<string, number>();
  #bytes = 0;

  override set(key: string, value: V): this {
    this.delete(key);
    super.set(key, value);
    this.#charge(key, footprint(key) + footprint(value));
    // The size of a promise is known when it resolves.
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

/** A set of the latest entries. */
export class RecentSet {
  readonly #members = new RecentMap<true>();

  add(member: string): void {
    // A known entry keeps its place.
    if (!this.#members.has(member)) this.#members.set(member, true);
  }

  has(member: string): boolean {
    return this.#members.has(member);
  }

  delete(member: string): void {
    this.#members.delete(member);
  }

  /** earliest first */
  [Symbol.iterator](): IterableIterator<string> {
    return this.#members.keys();
  }
}
