import type { JsonObject, UnaryOperation } from "@assay/protocol";
import { type Check, probe } from "../../check.ts";
import { expectError } from "../../expect-error.ts";
import { settled } from "../../observations/settled.ts";

/** Who offers no notifications takes no configurations, and says so to each of the four operations (§3.3.4). */
const refused: readonly (readonly [id: string, operation: UnaryOperation, more: JsonObject])[] = [
  ["PUSH-001", "CreateTaskPushNotificationConfig", { url: "https://example.com/webhook" }],
  ["PUSH-002", "GetTaskPushNotificationConfig", { id: "none" }],
  ["PUSH-003", "ListTaskPushNotificationConfigs", {}],
  ["PUSH-004", "DeleteTaskPushNotificationConfig", { id: "none" }],
];

export const withoutPush: readonly Check[] = refused.map(([id, operation, more]) =>
  probe({
    id,
    title: `${operation} is refused by an agent without push notifications`,
    remedy:
      "Answer PushNotificationNotSupportedError to all four push operations, or set capabilities.pushNotifications to true.",
    uses: { settled },
    async probe({ settled: { task } }, lab) {
      const talk = await lab.call(operation, { taskId: task?.id ?? lab.unknownId(), ...more });
      return expectError(talk, "PushNotificationNotSupported", {
        what: operation,
        // Of two things that are wrong, either may be said first (AMB-34).
        also: task ? [] : ["TaskNotFound"],
      });
    },
  }),
);
