import { answerOf } from "../bending/json.ts";
import { instead } from "../bending/operations.ts";
import { variant } from "../mutant.ts";

/** Push notifications, where the specification leaves a choice. */
export const pushVariants = [
  // AMB-13: the confirmation is left to the implementation.
  variant("delete-null", "full", "A deleted push configuration is confirmed with null over JSON-RPC.", {
    codec: (json, written) =>
      written.binding === "JSONRPC" ? answerOf("DeleteTaskPushNotificationConfig", () => null)(json, written) : json,
  }),

  // AMB-15, A35: JS 0.3.14 and Python 0.3.26 name a configuration after its task.
  variant("config-named-after-task", "full", "A push configuration without an id gets that of its task.", {
    operations: instead(["CreateTaskPushNotificationConfig"], ({ request, proceed }) =>
      proceed(request.id || !request.taskId ? request : { ...request, id: request.taskId }),
    ),
  }),
];
