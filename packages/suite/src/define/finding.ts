import { defined } from "@assay/protocol";
import type { Exchange } from "@assay/wire";
import type { TransportTrouble } from "../report/trouble.ts";
import type { Unexamined } from "../report/verdict.ts";
import type { BreachCode } from "../rules/breach-codes.ts";
import type { Call } from "./call.ts";

/**
 * The finding of a check: a code of a closed list. Its severity follows from the rule's level and basis and from
 * `rules/severity.yaml` (see policy.ts). A check never decides that something "fails".
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
  /** the trouble of the network or a gateway, if that is the reason */
  readonly trouble?: TransportTrouble;
}

/** A behaviour that the rule forbids. */
export interface Breach {
  readonly is: "breach";
  readonly code: BreachCode;
  /** describes the behaviour in one sentence that is complete on its own */
  readonly message: string;
  /** a short quotation of the evidence */
  readonly saw?: string;
  /** the behaviour that the rule requires */
  readonly want?: string;
  /** the fix, if it differs from the remedy of the check */
  readonly remedy?: string;
  /** the position of the evidence in the response */
  readonly spot?: Spot;
  /** a shell command that shows it, if the evidence is another exchange than the one to repeat */
  readonly repeat?: string;
  readonly at: readonly Evidence[];
}

export type Evidence = Call | Exchange;

/** A value in the JSON that was read, with further steps from there, or a path in the only document. */
export type Spot = { readonly within: object; readonly tail?: string } | string;

/** Further facts about a breach. */
export interface Details {
  readonly saw?: string;
  readonly want?: string;
  readonly remedy?: string;
  readonly spot?: Spot;
  readonly repeat?: string;
  readonly at?: Evidence | readonly Evidence[];
}

/** The rule holds. `note` is for information only. */
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
  ...defined({ saw, want, remedy, spot, repeat }),
  at: evidence(at),
});

/** Breaks the rule in the plain sense of its text. The rule's level and basis decide the severity. */
export const broken = (message: string, details: Details = {}): Breach => breach("broken", message, details);

/** A crash, a hang or a broken frame in response to a valid request. */
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

/** Adds a call as the evidence to all findings that have none. */
export const foundIn = (at: Evidence, found: Finding | readonly Finding[] | undefined) =>
  Array.isArray(found) ? found.map((each: Finding) => shownBy(at, each)) : found && shownBy(at, found as Finding);

const shownBy = (at: Evidence, found: Finding): Finding =>
  isBreach(found) && found.at.length === 0 ? { ...found, at: [at] } : found;
