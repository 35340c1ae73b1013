import type { Exchange } from "@assay/wire";
import type { Call } from "./call.ts";
import type { Unexamined } from "./report/verdict.ts";

/**
 * What a check saw. It says what happened; how much that matters follows from the rule's level and basis, and from how
 * strictly we were asked to read (see policy.ts). So a check never decides that something "fails".
 */
export type Finding =
  | { readonly is: "holds"; readonly note?: string; readonly at: readonly Evidence[] }
  | ({ readonly is: "broken" } & Sighting)
  /** right under one reading of an unclear text: a warning, and broken where the strict reading was asked for */
  | ({ readonly is: "tolerated"; readonly under: string } & Sighting)
  /** never more than a warning, however strictly we read */
  | ({ readonly is: "odd" } & Sighting)
  /** a crash, a hang or a broken frame in answer to input that is well understood: no level excuses it */
  | ({ readonly is: "crashed" } & Sighting)
  | { readonly is: "not-applicable"; readonly because: string }
  | { readonly is: "not-examined"; readonly reason: Unexamined; readonly because: string; readonly enable?: string };

export type Evidence = Call | Exchange;

interface Sighting {
  /** what happened, in one sentence that can stand alone */
  readonly message: string;
  /** the place in the bytes that shows it, short */
  readonly saw?: string;
  /** what the rule asks for instead */
  readonly want?: string;
  readonly at: readonly Evidence[];
}

/** What goes with a sighting besides its sentence. */
export interface Details {
  readonly saw?: string;
  readonly want?: string;
  readonly at?: Evidence | readonly Evidence[];
}

/** The rule holds; `note` is worth knowing, and nothing to change. */
export const holds = (note?: string, at?: Details["at"]): Finding => ({
  is: "holds",
  ...(note !== undefined && { note }),
  at: evidence(at),
});

export const broken = (message: string, details: Details = {}): Finding => ({
  is: "broken",
  ...sighting(message, details),
});

export const tolerated = (under: string, message: string, details: Details = {}): Finding => ({
  is: "tolerated",
  under,
  ...sighting(message, details),
});

export const odd = (message: string, details: Details = {}): Finding => ({ is: "odd", ...sighting(message, details) });

export const crashed = (message: string, details: Details = {}): Finding => ({
  is: "crashed",
  ...sighting(message, details),
});

export const notApplicable = (because: string): Finding => ({ is: "not-applicable", because });

export const notExamined = (reason: Unexamined, because: string, enable?: string): Finding => ({
  is: "not-examined",
  reason,
  because,
  ...(enable !== undefined && { enable }),
});

function sighting(message: string, { saw, want, at }: Details): Sighting {
  return { message, ...(saw !== undefined && { saw }), ...(want !== undefined && { want }), at: evidence(at) };
}

const evidence = (at: Details["at"]): readonly Evidence[] => (at === undefined ? [] : isList(at) ? at : [at]);

/** `Array.isArray` does not narrow a readonly array. */
const isList = (at: Evidence | readonly Evidence[]): at is readonly Evidence[] => Array.isArray(at);
