import { eventsOf, isEnded, shown } from "../../answers/reading.ts";
import { passiveCheck } from "../../define/check.ts";
import { breach, broken, holds } from "../../define/finding.ts";
import { taskStream } from "../../observations/task-stream.ts";

export const nothingAfterTheEnd = passiveCheck({
  id: "STREAM-007",
  title: "nothing but the task itself follows the status that ends it",
  remedy: "Make the terminal statusUpdate the last update of the stream: artifacts go before it.",
  shownBy: [taskStream],
  judge(call) {
    const events = eventsOf(call);
    const end = events.findIndex(({ is, state }) => is === "status" && isEnded(state));
    if (end < 0) return undefined;
    const want = "the end of the stream, or a final Task";
    const after = events.slice(end + 1);
    const status = after.find(({ is }) => is === "status");
    if (status) {
      return broken("a status update follows the one that ended the task", { ...shown(status.json), want, at: call });
    }
    const artifact = after.find(({ is }) => is === "artifact");
    if (artifact) {
      const details = { ...shown(artifact.json), want, at: call };
      return breach("artifact-after-end", "an artifact update follows the status that ended the task", details);
    }
    return holds();
  },
});
