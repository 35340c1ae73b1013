import { probe } from "../../check.ts";
import { broken, holds } from "../../finding.ts";
import { settled } from "../../observations/settled.ts";
import { asObject, brief, resultOf } from "../../reading.ts";

export const answersWithTaskOrMessage = probe({
  id: "SEND-001",
  title: "SendMessage answers with exactly one of task and message",
  remedy: "Put the Task under `task`, or the Message under `message`, and nothing else beside it.",
  uses: { settled },
  probe({ settled: { talk } }) {
    const result = asObject(resultOf(talk)) ?? {};
    const present = ["task", "message"].filter((member) => result[member] !== undefined && result[member] !== null);
    if (present.length === 1) return holds();
    return broken(
      `the answer of SendMessage has ${present.length ? "both task and message" : "neither task nor message"}`,
      {
        saw: brief(result),
        want: "exactly one of task and message",
        at: talk,
      },
    );
  },
});
