/** The closed list of outcomes of the contract. `withdrawn` does not exist before its first proposed version. */
export const statuses = ["pass", "partial", "fail", "not_measured", "na"] as const;
export type ContractStatus = (typeof statuses)[number];

/** One expectation that the tool did not meet. */
export interface ContractFault {
  readonly expected: string;
  readonly seen: string;
  readonly fix: string;
  /** the command line that shows it */
  readonly command?: string;
}

/** The result of one requirement. Everything but a pass has a note. */
export interface ContractOutcome {
  readonly status: ContractStatus;
  readonly note?: string;
  readonly faults: readonly ContractFault[];
}

/** Ends a probe that cannot tell whether the requirement holds. */
export class NotMeasured extends Error {}

/** Ends a probe whose requirement does not apply to the tool. */
export class Inapplicable extends Error {}

/**
 * Collects what a probe expects. The first expectation is the core of the requirement: a tool that does not meet it
 * fails. A tool that meets it and misses another one is partial.
 */
export class ProbeExpectations {
  readonly #faults: ContractFault[] = [];
  #count = 0;
  #isCoreMet = true;
  #remark: string | undefined;

  expect(holds: boolean, expected: string, seen: string, fix: string, command?: string): boolean {
    this.#count += 1;
    if (holds) return true;
    if (this.#count === 1) this.#isCoreMet = false;
    this.#faults.push({ expected, seen, fix, ...(command !== undefined && { command }) });
    return false;
  }

  /** Keeps a note for a requirement that passes. */
  remark(text: string): void {
    this.#remark = text;
  }

  get outcome(): ContractOutcome {
    // A probe without an expectation has measured nothing.
    if (!this.#count) return { status: "not_measured", note: "the probe examined nothing", faults: [] };
    if (!this.#faults.length)
      return { status: "pass", faults: [], ...(this.#remark !== undefined && { note: this.#remark }) };
    return { status: this.#isCoreMet ? "partial" : "fail", note: noteOn(this.#faults), faults: this.#faults };
  }
}

/** Faults that a note describes; a longer one is hard to read. */
const described = 3;

function noteOn(faults: readonly ContractFault[]): string {
  const texts = faults.slice(0, described).map(({ expected, seen }) => `expected: ${expected}; seen: ${seen}`);
  const more = faults.length - texts.length;
  return [...texts, ...(more > 0 ? [`and ${more} more`] : [])].join(" | ");
}
