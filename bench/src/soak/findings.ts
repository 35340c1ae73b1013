/** Errors that must never happen in a soak, under any load. */
export const breachKinds = {
  lost: "an event that was not told",
  doubled: "an event that was told twice",
  disordered: "an event that was told too late",
  different: "a task that is not what its stream told",
  apart: "subscribers of one task that were told different things",
  wrong: "an answer that is not the one asked for",
  error: "a request that failed",
  complaint: "something that the server complained of",
  left: "streams or connections that the server did not forget",
  grown: "memory that grows",
  ended: "a server that ended by itself",
} as const;

export type BreachKind = keyof typeof breachKinds;

export interface Breach {
  readonly kind: BreachKind;
  readonly what: string;
}

/**
 * Number of breaches of each kind that keep their text. A failing server would otherwise fill the memory of the test.
 */
const kept = 10;

/** Collects breaches and counts them by kind. */
export class Findings {
  readonly #counts = new Map<BreachKind, number>();
  readonly #breaches: Breach[] = [];

  add(...breaches: readonly Breach[]): void {
    for (const breach of breaches) {
      const count = (this.#counts.get(breach.kind) ?? 0) + 1;
      this.#counts.set(breach.kind, count);
      if (count <= kept) this.#breaches.push(breach);
    }
  }

  get counts(): Partial<Record<BreachKind, number>> {
    return Object.fromEntries(this.#counts);
  }

  /** The first breaches of each kind. */
  get breaches(): readonly Breach[] {
    return this.#breaches;
  }
}
