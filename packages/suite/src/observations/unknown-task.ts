import type { JsonObject, Operation } from "@assay/protocol";
import { isStreaming } from "@assay/protocol";
import type { Lab } from "../lab.ts";
import { observation } from "../observation.ts";
import { hasOperation } from "../operations-of.ts";
import type { Talk } from "../talk.ts";
import { created } from "./push-configs.ts";

/** An operation asked about a task that nobody has. */
export interface AskedInVain {
  readonly operation: Operation;
  readonly talk: Talk;
}

/** Each operation that names a task, and that the card claims, with an id that looks like the agent's own. */
export const unknownTask = observation<readonly AskedInVain[]>({
  name: "operations on a task that does not exist",
  messages: 0,
  async make(lab) {
    const claimed = taskOperations.filter(
      (operation) => hasOperation(lab.on, operation) && isClaimed(operation, lab) && !begins(operation, lab),
    );
    return Promise.all(
      claimed.map(async (operation) => ({ operation, talk: await ask(lab, operation, paramsFor(lab, operation)) })),
    );
  },
});

/** In 0.1 clients choose the ids of tasks: a message to one that nobody has begins it. */
const begins = (operation: Operation, { on }: Pick<Lab, "on">): boolean =>
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

export const isClaimed = (operation: Operation, { facts }: Pick<Lab, "facts">): boolean =>
  isStreaming(operation)
    ? facts.streaming
    : operation.includes("PushNotification")
      ? facts.pushNotifications
      : operation !== "GetExtendedAgentCard" || facts.extendedAgentCard;

/** A request that is in order, about nothing that exists. */
export function paramsFor(lab: Lab, operation: Operation): JsonObject {
  const id = lab.unknownId();
  switch (operation) {
    case "SendMessage":
    case "SendStreamingMessage":
      // A message of ours is JSON.
      return { message: lab.message("task", { taskId: id }) as unknown as JsonObject };
    case "GetTask":
    case "CancelTask":
    case "SubscribeToTask":
      return { id };
    case "CreateTaskPushNotificationConfig":
      // A public address, so that no guard against requests to private ones stands in the way of the task.
      return { taskId: id, url: "https://example.com/webhook" };
    case "GetTaskPushNotificationConfig":
    case "DeleteTaskPushNotificationConfig":
      return { taskId: id, id: lab.unknownId() };
    case "ListTaskPushNotificationConfigs":
      return { taskId: id };
    case "ListTasks":
      return { pageSize: 1 };
    case "GetExtendedAgentCard":
      return {};
  }
}

/** Calls any operation that a conforming agent answers at once, streams included. */
export async function ask(lab: Lab, operation: Operation, params: JsonObject, how: Parameters<Lab["call"]>[2] = {}) {
  if (operation === "CreateTaskPushNotificationConfig" && Object.keys(how).length === 0) return created(lab, params);
  const refusable = { refusable: true, ...how } as const;
  if (!isStreaming(operation)) return lab.call(operation, params, refusable);
  return (await lab.open(operation, params, refusable)).rest(10_000);
}
