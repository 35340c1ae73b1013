import { expectError } from "../../expect-error.ts";
import { type Finding, holds } from "../../finding.ts";
import type { Lab } from "../../lab.ts";
import type { Talk } from "../../talk.ts";
import { isForbidden } from "../wire/errors/names.ts";

/**
 * Whether a task that nobody has was not found. An agent that knows its callers may forbid what is not theirs, there
 * or not (AMB-33); one whose ids look different may say that this is none.
 */
export function expectNotFound(talk: Talk, what: string, lab: Pick<Lab, "facts">): Finding {
  if (lab.facts.secured && isForbidden(talk, lab)) return holds("the agent tells nobody whether a task exists");
  return expectError(talk, "TaskNotFound", { what, also: ["InvalidParams"] });
}
