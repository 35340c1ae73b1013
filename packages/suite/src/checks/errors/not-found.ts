import { isA2A, isNamed } from "../../answers/error-names.ts";
import { isInternal, matches, mismatch, wanted } from "../../answers/expect-error.ts";
import { describeReply, errorOf } from "../../answers/reading.ts";
import { isUnknown, lacksCapability } from "../../answers/served.ts";
import { assertReadable } from "../../answers/unreadable-events.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds } from "../../define/finding.ts";
import { judgeEach } from "../../define/judge-each.ts";
import type { Target } from "../../define/target.ts";
import { type RefusedCall, unknownTask } from "../../observations/unknown-task.ts";
import { isForbidden } from "./names.ts";

export const missingIsNotFound = activeCheck({
  id: "ERR-007",
  title: "what does not exist is not found, whichever operation asks for it",
  remedy: "Answer every operation that names an unknown task with TaskNotFoundError: -32001, HTTP 404 or NOT_FOUND.",
  uses: { unknownTask },
  judge: ({ unknownTask: asked }, target) =>
    judgeEach(
      asked.filter(({ operation }) => !operation.startsWith("Send")),
      (one) => judge(one, asked, target),
    ),
});

function judge({ operation, call }: RefusedCall, asked: readonly RefusedCall[], target: Target): Finding {
  const saw = describeReply(call);
  const details = { saw, want: wanted("TaskNotFound", call), at: call };
  // A configuration that is missing has no error of its own (AMB-14), so any reason will do.
  const error = errorOf(call);
  const isNotFound = error?.grpc ? error.grpc.status === "NOT_FOUND" : error?.http === 404;
  if (isNotFound || isNamed(call, "TaskNotFound") || isForbidden(call, target)) return holds();
  // Not there at all, though it is claimed: that is for CAP-002 to CAP-004.
  if (isUnknown({ operation, call }, asked) || lacksCapability(operation, call)) return holds();
  // By which verb one subscribes is not settled (AMB-04); REST-006 tries both.
  if (operation === "SubscribeToTask" && call.exchange.http.response?.status === 405) return holds();
  // In which form is for REST-027.
  if (call.reply.is === "malformed" && call.exchange.http.response?.status === 404) return holds();
  // An id may be called ill-formed (§3.3.2); of a configuration, the webhook may be looked at first (AMB-34).
  // HTTP 400 is the number of other errors too.
  if (matches(call, "InvalidParams") && !isA2A(call)) return holds();
  const what = `${operation} on an unknown task`;
  if (isInternal(call)) return crashed(`${what} is answered with an internal error`, details);
  assertReadable(call);
  if (call.reply.is === "failure") return crashed(`${what} gets no answer`, details);
  if (error) {
    const code = isNamed(call, "UnsupportedOperation") ? "operation-unsupported" : "other-error";
    return breach(code, `${what} is answered with ${mismatch(call, error, "TaskNotFound")}`, details);
  }
  if (call.reply.is === "malformed") return broken(`${what} is answered with no error of the binding`, details);
  return breach("accepted", `${what} is accepted`, details);
}
