import type { JsonObject, UnaryOperation } from "@assay/protocol";
import { expectError, matches } from "../../answers/expect-error.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import { nowhere } from "../../webhook/nowhere.ts";

/** Who offers no notifications takes no configurations, and says so to each of the four operations (§3.3.4). */
const refused: readonly (readonly [id: string, operation: UnaryOperation, more: JsonObject])[] = [
  ["PUSH-001", "CreateTaskPushNotificationConfig", { url: nowhere }],
  ["PUSH-002", "GetTaskPushNotificationConfig", { id: "none" }],
  ["PUSH-003", "ListTaskPushNotificationConfigs", {}],
  ["PUSH-004", "DeleteTaskPushNotificationConfig", { id: "none" }],
];

export const withoutPush: readonly Check[] = refused.map(([id, operation, more]) =>
  activeCheck({
    id,
    title: `${operation} is refused by an agent without push notifications`,
    remedy:
      "Answer PushNotificationNotSupportedError to all four push operations, or set capabilities.pushNotifications to true.",
    uses: { sentMessage },
    async judge({ sentMessage: { task } }, target) {
      const call = await target.call(operation, { taskId: task?.id ?? target.unknownId(), ...more });
      // An agent may purge a task that has ended: then the target says that the rule cannot be examined.
      if (task && matches(call, "TaskNotFound")) await target.call("GetTask", { id: task.id });
      return expectError(call, "PushNotificationNotSupported", {
        what: operation,
        // Of two things that are wrong, either may be said first (AMB-34).
        also: task ? [] : ["TaskNotFound"],
      });
    },
  }),
);
