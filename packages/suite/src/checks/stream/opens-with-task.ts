import { asObject, eventsOf, shown } from "../../answers/reading.ts";
import { passiveCheck } from "../../define/check.ts";
import { breach, holds } from "../../define/finding.ts";
import { answeredInFull } from "../../observations/list-pages.ts";
import { taskStream } from "../../observations/task-stream.ts";

export const opensWithTask = passiveCheck({
  id: "STREAM-003",
  title: "a stream opens with the task itself, or with a message",
  remedy: "Send the Task as the first event; status and artifact updates follow it.",
  shownBy: [taskStream, answeredInFull],
  judge(call) {
    if (call.operation !== "SendStreamingMessage") return undefined;
    const [first] = eventsOf(call);
    // What is no StreamResponse at all breaks another rule (STREAM-008).
    if (!first || first.is === "unknown") return undefined;
    if (first.is === "task" || first.is === "message") return holds();
    const kind = first.is === "status" ? "a status update" : "an artifact update";
    // An agent that opens the stream of a new task well may still leave out a task that its handler has stored.
    const continues = asObject(asObject(call.params)?.["message"])?.["taskId"] !== undefined;
    return breach(
      continues ? "continued-without-task" : "broken",
      `the stream opens with ${kind} instead of the Task`,
      {
        ...shown(first.json),
        want: "an event with task, or with message",
        at: call,
      },
    );
  },
});
