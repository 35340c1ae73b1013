import { brief, eventsOf, type LooseEvent, shown } from "../../answers/reading.ts";
import { passiveCheck } from "../../define/check.ts";
import { broken, type Finding, holds } from "../../define/finding.ts";
import { taskStream } from "../../observations/task-stream.ts";
import { twoTasksAtOnce } from "../../observations/two-tasks-at-once.ts";

export const sameIds = passiveCheck({
  id: "STREAM-019",
  title: "every update bears the ids of the task that opened its stream",
  remedy: "Write the Task's id as taskId and its contextId as contextId into every statusUpdate and artifactUpdate.",
  shownBy: [taskStream, twoTasksAtOnce],
  judge(call) {
    const events = eventsOf(call);
    const [first] = events;
    const updates = events.filter(({ is }) => is === "status" || is === "artifact");
    if (updates.length === 0) return undefined;
    const taskId = first?.is === "task" ? first.taskId : updates[0]?.taskId;
    const contextId = (first?.is === "task" && first.contextId) || updates[0]?.contextId;
    const want = `taskId ${brief(taskId)} and contextId ${brief(contextId)}`;
    const accuse = (message: string, { json }: LooseEvent): Finding =>
      broken(message, { ...shown(json, 240), want, at: call });
    for (const event of updates) {
      if (!event.taskId) return accuse("an update of a stream has no taskId", event);
      if (!event.contextId) return accuse("an update of a stream has no contextId", event);
      // Of which task a subscription tells is another rule (SUB-010).
      if (event.taskId !== taskId && call.operation === "SendStreamingMessage")
        return accuse("an update of a stream has another taskId than its Task", event);
      if (event.contextId !== contextId)
        return accuse("an update of a stream has another contextId than its Task", event);
    }
    return holds();
  },
});
