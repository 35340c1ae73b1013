import { reasonOf } from "../classes/reason-of.ts";
import { type ReasonCode, reasons } from "../classes/reasons.ts";
import type { Examination } from "./examination.ts";

/** We could not examine it: that says nothing about the agent. */
export function unexamined(code: ReasonCode, duration_ms: number, detail?: string): Examination {
  const { class: named, mayPass = false } = reasons[code];
  return { class: named, reason: reasonOf({ code }, detail), mayPass, duration_ms };
}
