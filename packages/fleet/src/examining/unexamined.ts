import { reasonOf } from "../classes/reason-of.ts";
import { type ReasonCode, reasons } from "../classes/reasons.ts";
import type { Examination } from "./examination.ts";

/** Returns an examination that failed for Assay's own reasons and says nothing about the agent. */
export function unexamined(code: ReasonCode, duration_ms: number, detail?: string): Examination {
  const { class: named, mayPass = false } = reasons[code];
  return { class: named, reason: reasonOf({ code }, detail), mayPass, duration_ms };
}
