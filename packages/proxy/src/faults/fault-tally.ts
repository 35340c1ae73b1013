import type { Exchange } from "@assay/wire";

/** Number of exchange ids that the report names for a fault. */
const mostNamed = 20;

/** Counts the calls that each fault hit, for the report. */
export class FaultTally {
  readonly #ids: Map<string, string[]>;

  constructor(faults: readonly string[]) {
    this.#ids = new Map(faults.map((fault) => [fault, []]));
  }

  add({ id, faults = [] }: Exchange): void {
    for (const fault of faults) this.#ids.get(fault)?.push(id);
  }

  lines(): readonly string[] {
    return [...this.#ids].map(([fault, ids]) => {
      if (ids.length === 0) return `fault ${fault}: hit no call`;
      const more = ids.length > mostNamed ? `, and ${ids.length - mostNamed} more` : "";
      const named = `${ids.slice(0, mostNamed).join(", ")}${more}`;
      return `fault ${fault}: hit ${ids.length} ${ids.length === 1 ? "call" : "calls"} (${named}), which Assay did not judge`;
    });
  }
}
