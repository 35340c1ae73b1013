import { activeCheck } from "../../check.ts";
import { broken, holds } from "../../finding.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import { asObject, brief, resultOf } from "../../reading.ts";

export const answersWithTaskOrMessage = activeCheck({
  id: "SEND-001",
  title: "SendMessage answers with exactly one of task and message",
  remedy: "Put the Task under `task`, or the Message under `message`, and nothing else beside it.",
  uses: { sentMessage },
  judge({ sentMessage: { call } }) {
    const result = asObject(resultOf(call)) ?? {};
    const present = ["task", "message"].filter((member) => result[member] !== undefined && result[member] !== null);
    if (present.length === 1) return holds();
    return broken(
      `the answer of SendMessage has ${present.length ? "both task and message" : "neither task nor message"}`,
      {
        saw: brief(result),
        want: "exactly one of task and message",
        at: call,
      },
    );
  },
});
