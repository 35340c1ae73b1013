import { activeCheck } from "../../define/check.ts";
import { holds } from "../../define/finding.ts";
import { taskStream } from "../../observations/task-stream.ts";

/** Where no stream opens, the observation says so and names this rule. */
export const opensStream = activeCheck({
  id: "STREAM-001",
  title: "SendStreamingMessage opens a stream of events",
  remedy:
    "Answer SendStreamingMessage with text/event-stream (over gRPC, a stream of StreamResponse), or set capabilities.streaming to false.",
  uses: { taskStream },
  judge: () => holds(),
});
