import { probe } from "../../check.ts";
import { broken, holds } from "../../finding.ts";
import { streamed } from "../../observations/streamed.ts";
import { brief } from "../../reading.ts";

export const opensWithTask = probe({
  id: "STREAM-003",
  title: "a stream opens with the task itself, or with a message",
  remedy: "Send the Task as the first event; status and artifact updates follow it.",
  uses: { streamed },
  probe({ streamed: { talk, events } }) {
    const [first] = events;
    if (first?.is === "task" || first?.is === "message") return holds();
    return broken(
      `the stream opens with ${first?.is === "unknown" ? "something unknown" : `a ${first?.is} update`} instead of the Task`,
      {
        saw: brief(first?.json),
        want: "an event with task, or with message",
        at: talk,
      },
    );
  },
});
