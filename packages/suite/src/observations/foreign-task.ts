import type { Operation } from "@assay/protocol";
import { describeReply, isForbidden, type LooseTask } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { skipped } from "../define/obstacle.ts";
import { taskAtRest } from "./sent-message.ts";
import { ask, isClaimed } from "./unknown-task.ts";

/** What another principal is told about a task of ours, and about one that does not exist. */
export interface ForeignTask {
  readonly task: LooseTask;
  readonly unknownId: string;
  readonly asked: readonly { readonly operation: Operation; readonly foreign: Call; readonly unknown: Call }[];
}

export const foreignTask = observation<ForeignTask>({
  name: "a task of another principal",
  messages: 0,
  uses: [taskAtRest],
  async make(target) {
    const other = target.as("second");
    if (!other) throw skipped("credentials", "a second principal is needed", "principals.second in assay.yaml");
    const { last: task } = await target.observe(taskAtRest);
    const unknownId = target.unknownId();
    const claimed = (["GetTask", "CancelTask", "ListTaskPushNotificationConfigs"] as const).filter((operation) =>
      isClaimed(operation, target),
    );
    const asked = claimed.map(async (operation) => {
      const params = (id: string) => (operation.includes("Push") ? { taskId: id } : { id });
      const [foreign, unknown] = await Promise.all([task.id, unknownId].map((id) => ask(other, operation, params(id))));
      return { operation, foreign: foreign!, unknown: unknown! };
    });
    const answered = await Promise.all(asked);
    const shut = answered.find(({ operation, unknown }) => operation === "GetTask" && isForbidden(unknown));
    // Whom nothing is answered is told nothing, whosever it is.
    if (shut)
      throw skipped(
        "credentials",
        `the second principal is turned away: ${describeReply(shut.unknown)}`,
        "principals.second",
      );
    return { task, unknownId, asked: answered };
  },
});
