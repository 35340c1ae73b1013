import { isStreaming, type JsonObject, type Operation } from "@assay/protocol";
import { hasOperation, operationsOf } from "../answers/operations-of.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import type { Target } from "../define/target.ts";
import { nowhere } from "../webhook/nowhere.ts";
import { created } from "./push-configs.ts";
import { sendParams } from "./sending.ts";
import { type SentCalls, sentCalls } from "./sent-calls.ts";

/** An operation on a task that does not exist. */
export interface RefusedCall {
  readonly operation: Operation;
  readonly call: Call;
}

/** Each declared operation that names a task, with an id that looks like the agent's ids. */
export const unknownTask = observation<SentCalls<RefusedCall>>("operations on a task that does not exist", {
  async make(target) {
    const claimed = taskOperations.filter(
      (operation) => hasOperation(target.on, operation) && isClaimed(operation, target) && !begins(operation, target),
    );
    return sentCalls(
      claimed.map(async (operation) => ({
        operation,
        call: await ask(target, operation, paramsFor(target, operation)),
      })),
    );
  },
});

/** In 0.1 clients choose task ids, so a message to an unknown one starts the task. */
const begins = (operation: Operation, { on }: Pick<Target, "on">): boolean =>
  on.dialect === "0.1" && operation.startsWith("Send");

const taskOperations: readonly Operation[] = [
  "GetTask",
  "CancelTask",
  "SendMessage",
  "SendStreamingMessage",
  "SubscribeToTask",
  "CreateTaskPushNotificationConfig",
  "GetTaskPushNotificationConfig",
  "ListTaskPushNotificationConfigs",
  "DeleteTaskPushNotificationConfig",
];

export const isClaimed = (operation: Operation, { facts }: Pick<Target, "facts">): boolean =>
  isStreaming(operation)
    ? facts.streaming
    : operation.includes("PushNotification")
      ? facts.pushNotifications
      : operation !== "GetExtendedAgentCard" || facts.extendedAgentCard;

/** Returns a valid request about nothing that exists. */
export function paramsFor(target: Target, operation: Operation): JsonObject {
  const id = target.unknownId();
  switch (operation) {
    case "SendMessage":
    case "SendStreamingMessage":
      return sendParams(target, { taskId: id });
    case "GetTask":
    case "CancelTask":
    case "SubscribeToTask":
      return { id };
    case "CreateTaskPushNotificationConfig":
      // A public address, so that no guard against private ones rejects the request first.
      return { taskId: id, url: nowhere };
    case "GetTaskPushNotificationConfig":
    case "DeleteTaskPushNotificationConfig":
      return { taskId: id, id: target.unknownId() };
    case "ListTaskPushNotificationConfigs":
      return { taskId: id };
    case "ListTasks":
      return { pageSize: 1 };
    case "GetExtendedAgentCard":
      return {};
  }
}

/** Calls any operation that a conforming agent answers at once, including streams. */
export async function ask(
  target: Target,
  operation: Operation,
  params: JsonObject,
  how: Parameters<Target["call"]>[2] = {},
) {
  if (operation === "CreateTaskPushNotificationConfig" && Object.keys(how).length === 0) return created(target, params);
  const refusable = { refusable: true, ...how } as const;
  if (!isStreaming(operation)) return target.call(operation, params, refusable);
  return (await target.open(operation, params, refusable)).rest(10_000);
}

/** Others make the same request. */
const isPlain = (operation: Operation): boolean => operation === "ListTasks" || operation === "GetExtendedAgentCard";

/** Every operation once, declared or not, with valid input about a task that does not exist. */
export const everyOperation = observation<SentCalls<{ readonly operation: Operation; readonly call: Call }>>(
  "each of the operations",
  {
    uses: [unknownTask],
    async make(target) {
      const asked = await target.observe(unknownTask);
      const rest = operationsOf(target.on).filter(
        (each) => !begins(each, target) && !asked.some((one) => one.operation === each),
      );
      const others = rest.map(async (operation) => ({
        operation,
        call: await ask(target, operation, paramsFor(target, operation), isPlain(operation) ? { share: "plain" } : {}),
      }));
      const later = await sentCalls(others);
      const unsent = asked.unsent ?? later.unsent;
      return Object.assign([...asked, ...later], unsent && { unsent });
    },
  },
);
