import type { Exchange } from "@assay/wire";
import type { TransportTrouble } from "../report/trouble.ts";
import type { Unexamined } from "../report/verdict.ts";
import type { BreachCode } from "../rules/breach-codes.ts";
import type { Call } from "./call.ts";

/**
 * What a check saw. It says what happened, by a code of a closed list; how much that matters follows from the rule's level
 * and basis and from the rows of `rules/severity.yaml` (see policy.ts). So a check never decides that something "fails".
 */
export type Finding =
  | { readonly is: "holds"; readonly note?: string; readonly at: readonly Evidence[] }
  | Breach
  | { readonly is: "not-applicable"; readonly because: string }
  | NotExamined;

export interface NotExamined {
  readonly is: "not-examined";
  readonly reason: Unexamined;
  readonly because: string;
  readonly enable?: string;
  /** what the network or a gateway did, where that is the reason */
  readonly trouble?: TransportTrouble;
}

/** Something that the rule does not want to be so. */
export interface Breach {
  readonly is: "breach";
  readonly code: BreachCode;
  /** what happened, in one sentence that can stand alone */
  readonly message: string;
  /** the place in the bytes that shows it, short */
  readonly saw?: string;
  /** what the rule asks for instead */
  readonly want?: string;
  /** what to change, where that is another thing than the remedy of the check */
  readonly remedy?: string;
  /** where that stands in the answer */
  readonly spot?: Spot;
  /** a line for the shell that shows it, where the evidence is another exchange than the one to repeat */
  readonly repeat?: string;
  readonly at: readonly Evidence[];
}

export type Evidence = Call | Exchange;

/** A value of the JSON that was read, and the steps on from there; or a path in the only document there is. */
export type Spot = { readonly within: object; readonly tail?: string } | string;

/** What goes with a breach besides its sentence. */
export interface Details {
  readonly saw?: string;
  readonly want?: string;
  readonly remedy?: string;
  readonly spot?: Spot;
  readonly repeat?: string;
  readonly at?: Evidence | readonly Evidence[];
}

/** The rule holds; `note` is worth knowing, and nothing to change. */
export const holds = (note?: string, at?: Details["at"]): Finding => ({
  is: "holds",
  ...(note !== undefined && { note }),
  at: evidence(at),
});

export const breach = (
  code: BreachCode,
  message: string,
  { saw, want, remedy, spot, repeat, at }: Details = {},
): Breach => ({
  is: "breach",
  code,
  message,
  ...(saw !== undefined && { saw }),
  ...(want !== undefined && { want }),
  ...(remedy !== undefined && { remedy }),
  ...(spot !== undefined && { spot }),
  ...(repeat !== undefined && { repeat }),
  at: evidence(at),
});

/** The rule is broken in the plain sense of its text: its level and basis decide. */
export const broken = (message: string, details: Details = {}): Breach => breach("broken", message, details);

/** A crash, a hang or a broken frame in answer to a request that is well understood. */
export const crashed = (message: string, details: Details = {}): Breach => breach("crashed", message, details);

export const isBreach = (finding: Finding | undefined, ...codes: readonly BreachCode[]): finding is Breach =>
  finding?.is === "breach" && (codes.length === 0 || codes.includes(finding.code));

export const notApplicable = (because: string): Finding => ({ is: "not-applicable", because });

export const notExamined = (reason: Unexamined, because: string, enable?: string): Finding => ({
  is: "not-examined",
  reason,
  because,
  ...(enable !== undefined && { enable }),
});

const evidence = (at: Details["at"]): readonly Evidence[] => (at === undefined ? [] : isList(at) ? at : [at]);

/** `Array.isArray` does not narrow a readonly array. */
const isList = (at: Evidence | readonly Evidence[]): at is readonly Evidence[] => Array.isArray(at);

/** What was found in a call: the call is the evidence of each breach that names no other. */
export const foundIn = (at: Evidence, found: Finding | readonly Finding[] | undefined) =>
  Array.isArray(found) ? found.map((each: Finding) => shownBy(at, each)) : found && shownBy(at, found as Finding);

const shownBy = (at: Evidence, found: Finding): Finding =>
  isBreach(found) && found.at.length === 0 ? { ...found, at: [at] } : found;
