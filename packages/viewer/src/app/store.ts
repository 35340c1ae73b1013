import { useEffect, useState } from "preact/hooks";

/** A value that several parts of the page share. */
export class Store<T> {
  #value: T;
  readonly #readers = new Set<(value: T) => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    this.#value = value;
    for (const tell of this.#readers) tell(value);
  }

  subscribe(tell: (value: T) => void): () => void {
    this.#readers.add(tell);
    return () => this.#readers.delete(tell);
  }
}

/** Returns the value of a store and renders again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState({ of: store.value });
  useEffect(() => {
    setValue({ of: store.value });
    return store.subscribe((next) => setValue({ of: next }));
  }, [store]);
  return value.of;
}
