import { probe } from "../../../check.ts";
import { isInternal } from "../../../expect-error.ts";
import { broken, holds } from "../../../finding.ts";
import { endedTask } from "../../../observations/ended-task.ts";
import { invalidInput } from "../../../observations/invalid-input.ts";
import { otherVersion } from "../../../observations/other-version.ts";
import { unknownTask } from "../../../observations/unknown-task.ts";
import { describeReply, errorOf } from "../../../reading.ts";
import type { Talk } from "../../../talk.ts";

export const noGenericErrors = probe({
  id: "ERR-029",
  title: "a condition that A2A defines is no internal error",
  remedy: "Catch the condition and answer with its own error of §5.4, not with -32603, HTTP 500 or INTERNAL.",
  uses: { unknownTask, invalidInput, otherVersion },
  also: { endedTask },
  probe({ unknownTask: asked, invalidInput: inputs, otherVersion: inVersion, endedTask: ended }) {
    const talks = [
      ...asked.map(({ operation, talk }) => ({ what: `${operation} on an unknown task`, talk })),
      ...inputs,
      ...inVersion.map(({ operation, talk }) => ({ what: `${operation} in version 99.0`, talk })),
      ...(ended
        ? [
            { what: "CancelTask on an ended task", talk: ended.canceled },
            { what: "a message to an ended task", talk: ended.addressed },
          ]
        : []),
    ];
    const breakdown = talks.find(({ talk }) => brokeDown(talk));
    if (!breakdown) return holds();
    return broken(`${breakdown.what} is answered with an internal error`, {
      saw: describeReply(breakdown.talk),
      want: "the error that A2A defines for it",
      at: breakdown.talk,
    });
  },
});

/** InvalidAgentResponseError is itself a 500 by the table. */
const brokeDown = (talk: Talk): boolean =>
  errorOf(talk)?.reason !== "INVALID_AGENT_RESPONSE" &&
  (isInternal(talk) || (talk.reply.is === "malformed" && talk.exchange.http.response?.status === 500));
