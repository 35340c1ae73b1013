import { asText } from "../../answers/loose-json.ts";
import type { LooseTask } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { notExamined } from "../../define/finding.ts";

/**
 * Returns true if an id names another task than before, with none of the messages of the client. That happens if an
 * agent without a store restarts and counts its tasks from 1 again.
 */
export function isReused(before: LooseTask, now: LooseTask, { on }: Call): boolean {
  // Messages of 0.1 have no ids.
  if (on.dialect === "0.1") return false;
  const [then, later] = [messageIds(before), messageIds(now)];
  return then.length > 0 && later.length > 0 && !later.some((id) => then.includes(id));
}

const messageIds = ({ history }: LooseTask): string[] =>
  history.flatMap((message) => (message["role"] === "ROLE_USER" ? (asText(message["messageId"]) ?? []) : []));

/** CTX-007 judges an id that two tasks have. */
export const idReused = notExamined("unstable", "the id of the task names another task now");
