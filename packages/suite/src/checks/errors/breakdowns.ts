import { codeOfBreakdown, isInternal } from "../../answers/expect-error.ts";
import { describeReply, errorOf } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, holds } from "../../define/finding.ts";
import { endedTask } from "../../observations/ended-task.ts";
import { invalidInput } from "../../observations/invalid-input.ts";
import { otherVersion } from "../../observations/other-version.ts";
import { unknownTask } from "../../observations/unknown-task.ts";

export const noGenericErrors = activeCheck({
  id: "ERR-029",
  title: "a condition that A2A defines is no internal error",
  remedy: "Catch the condition and answer with its own error of §5.4, not with -32603, HTTP 500 or INTERNAL.",
  uses: { unknownTask, invalidInput, otherVersion },
  also: { endedTask },
  judge({ unknownTask: asked, invalidInput: inputs, otherVersion: inVersion, endedTask: ended }) {
    const calls = [
      ...asked.map(({ operation, call }) => ({ what: `${operation} on an unknown task`, call })),
      ...inputs,
      ...inVersion.map(({ operation, call }) => ({ what: `${operation} in version 99.0`, call })),
      ...(ended
        ? [
            { what: "CancelTask on an ended task", call: ended.canceled },
            { what: "a message to an ended task", call: ended.addressed },
          ]
        : []),
    ];
    const breakdowns = calls.filter(({ call }) => brokeDown(call));
    if (breakdowns.length === 0) return holds();
    return breakdowns.map(({ what, call }) =>
      breach(codeOfBreakdown(call), `${what} is answered with an internal error`, {
        saw: describeReply(call),
        want: "the error that A2A defines for it",
        at: call,
      }),
    );
  },
});

/** InvalidAgentResponseError is itself a 500 by the table. */
const brokeDown = (call: Call): boolean =>
  errorOf(call)?.reason !== "INVALID_AGENT_RESPONSE" &&
  (isInternal(call) || (call.reply.is === "malformed" && call.exchange.http.response?.status === 500));
