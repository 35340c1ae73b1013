import type { Operation } from "@assay/protocol";
import { hasOperation } from "../answers/operations-of.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { skipped } from "../define/obstacle.ts";
import { ask, isClaimed, paramsFor } from "./unknown-task.ts";

/** The same harmless call by the user and by a principal with fewer rights. */
export interface TwoCallers {
  readonly operation: Operation;
  readonly ours: Call;
  readonly theirs: Call;
}

const harmless = [
  "ListTasks",
  "GetTask",
  "CancelTask",
  "CreateTaskPushNotificationConfig",
  "ListTaskPushNotificationConfigs",
  "DeleteTaskPushNotificationConfig",
  "GetExtendedAgentCard",
] as const;

export const restrictedCaller = observation<readonly TwoCallers[]>({
  name: "calls by a principal with fewer rights",
  messages: 0,
  async make(target) {
    const restricted = target.as("restricted");
    if (!restricted)
      throw skipped("credentials", "a principal with fewer rights is needed", "principals.restricted in assay.yaml");
    return Promise.all(
      harmless
        .filter((operation) => hasOperation(target.on, operation) && isClaimed(operation, target))
        .map(async (operation) => {
          const params = paramsFor(target, operation);
          return {
            operation,
            ours: await ask(target, operation, params),
            theirs: await ask(restricted, operation, params),
          };
        }),
    );
  },
});
