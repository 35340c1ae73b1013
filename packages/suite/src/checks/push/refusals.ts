import type { JsonObject, Operation, UnaryOperation } from "@assay/protocol";
import { expectError, matches, wanted } from "../../answers/expect-error.ts";
import { answerOf, describeReply } from "../../answers/reading.ts";
import { isUnknown } from "../../answers/served.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, notApplicable, notExamined } from "../../define/finding.ts";
import { refusesAddress } from "../../observations/push-configs.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import { unknownTask } from "../../observations/unknown-task.ts";
import { nowhere } from "../../webhook/nowhere.ts";
import { expectNotFound } from "../errors/expect.ts";
import { isNotOffered } from "./excuses.ts";

/** Without the capability, the agent refuses each of the four operations (§3.3.4). */
const unsupported: readonly (readonly [id: string, operation: UnaryOperation, more: JsonObject])[] = [
  ["PUSH-001", "CreateTaskPushNotificationConfig", { url: nowhere }],
  ["PUSH-002", "GetTaskPushNotificationConfig", { id: "none" }],
  ["PUSH-003", "ListTaskPushNotificationConfigs", {}],
  ["PUSH-004", "DeleteTaskPushNotificationConfig", { id: "none" }],
];

export const withoutPush: readonly Check[] = unsupported.map(([id, operation, more]) =>
  activeCheck(id, {
    uses: { sentMessage },
    async judge({ sentMessage: { task } }, target) {
      const call = await target.call(operation, { taskId: task?.id ?? target.unknownId(), ...more });
      // An agent may delete an ended task: then the target reports that the rule cannot be examined.
      if (task && matches(call, "TaskNotFound")) await target.call("GetTask", { id: task.id });
      return expectError(call, "PushNotificationNotSupported", {
        what: operation,
        // If a request has two faults, either error may come first (AMB-34).
        also: task ? [] : ["TaskNotFound"],
      });
    },
  }),
);

const unknown: readonly (readonly [id: string, operation: Operation])[] = [
  ["PUSH-006", "CreateTaskPushNotificationConfig"],
  ["PUSH-014", "ListTaskPushNotificationConfigs"],
  ["PUSH-019", "DeleteTaskPushNotificationConfig"],
];

export const onUnknownTasks: readonly Check[] = unknown.map(([id, operation]) =>
  activeCheck(id, {
    uses: { unknownTask },
    judge({ unknownTask: asked }, target) {
      const call = asked.find((one) => one.operation === operation)?.call;
      if (!call) return notApplicable("the card does not declare pushNotifications");
      if (isNotOffered(call, asked)) return notApplicable(`${operation} is not served`);
      if (operation === "CreateTaskPushNotificationConfig" && refusesAddress(call)) {
        // The agent checks the address first, and refuses it (AMB-19, AMB-34).
        return notExamined(
          "webhook",
          `the agent refuses the webhook address: ${describeReply(call)}`,
          "--webhook-url <an address the agent may call>",
        );
      }
      const what = `${operation} for an unknown task`;
      if (!isUnknown({ operation, call }, asked)) return expectNotFound(call, what, target);
      const details = answerOf(call, wanted("TaskNotFound", call));
      return breach("operation-not-served", `${what} returns an "unknown operation" error`, details);
    },
  }),
);
