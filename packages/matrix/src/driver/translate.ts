import { isObject, type JsonObject, type JsonValue, type Operation, type Reading, v03, v10 } from "@assay/protocol";
import type { AbstractOperation, Given } from "@assay/scenarios";
import type { DriverOp, RawDriverAnswer } from "./client-driver.ts";
import type { DriverModel } from "./description.ts";

/** The driver op and the protocol operation for an operation of scenarios. */
export const opOf: Readonly<Record<AbstractOperation, { readonly op: DriverOp; readonly operation?: Operation }>> = {
  get_agent_card: { op: "card" },
  get_extended_agent_card: { op: "extendedCard", operation: "GetExtendedAgentCard" },
  send_message: { op: "send", operation: "SendMessage" },
  send_streaming_message: { op: "stream", operation: "SendStreamingMessage" },
  get_task: { op: "get", operation: "GetTask" },
  list_tasks: { op: "list", operation: "ListTasks" },
  cancel_task: { op: "cancel", operation: "CancelTask" },
  subscribe_to_task: { op: "subscribe", operation: "SubscribeToTask" },
  create_push_config: { op: "push.create", operation: "CreateTaskPushNotificationConfig" },
  get_push_config: { op: "push.get", operation: "GetTaskPushNotificationConfig" },
  list_push_configs: { op: "push.list", operation: "ListTaskPushNotificationConfigs" },
  delete_push_config: { op: "push.delete", operation: "DeleteTaskPushNotificationConfig" },
};

/** Converts a 1.0 request to the format of a driver's model. */
export function writtenFor(model: DriverModel, operation: Operation | undefined, request: JsonObject): JsonValue {
  if (model === "1.0" || operation === undefined || v03.methodOf(operation) === undefined) return request;
  return v03.writeRequest(operation, request as never);
}

/** Converts a driver's result to the format of 1.0. */
export function givenBy(
  model: DriverModel,
  operation: Operation | undefined,
  { result, events, done, error, late }: RawDriverAnswer,
  isStream: boolean,
): Given {
  const dialect = model === "1.0" ? v10 : v03;
  const troubles: string[] = [];
  const read = (reading: Reading<unknown>, otherwise: JsonValue): JsonValue => {
    if ("value" in reading && reading.value !== undefined) return withoutDefaults(reading.value as JsonValue);
    // The JSON of 1.0 may omit defaults, even if the wire requires them, and can still be judged.
    const first = reading.violations?.find(({ code }) => model !== "1.0" || unreadable.has(code));
    if (first) troubles.push(`${first.path}: ${first.message}`);
    return withoutDefaults(otherwise);
  };
  const given: Given = {
    ...(result !== undefined && {
      result: operation ? read(answerIn(dialect, operation, result), result) : withoutDefaults(result),
    }),
    ...(isStream &&
      !(error && !events.length) && {
        events: events.flatMap((event) => read(dialect.readEvents(withoutNulls(event)), [event]) as JsonValue[]),
      }),
    ...(done && { done }),
    ...(error && { error }),
    ...(late && { late }),
  };
  return troubles.length ? { ...given, unreadable: troubles.join("; ") } : given;
}

const answerIn = (dialect: typeof v10, operation: Operation, result: JsonValue): Reading<unknown> =>
  dialect.methodOf(operation) === undefined
    ? { value: result }
    : dialect.readAnswer(operation, withDefaults(operation, withoutNulls(result)));

/** Adds omitted empty values, because a program reads them as empty (AMB-08). */
const withDefaults = (operation: Operation, result: JsonValue): JsonValue =>
  operation === "ListTasks" && isObject(result)
    ? ({ tasks: [], nextPageToken: "", totalSize: 0, ...result } as JsonObject)
    : result;

/** Violations after which a value cannot be read. */
const unreadable: ReadonlySet<string> = new Set(["wrong-type", "unknown-value", "format"]);

/** Members with free content. */
const free: ReadonlySet<string> = new Set(["data", "metadata", "params"]);

/** Removes null members, which SDKs write for absent ones. */
const withoutNulls = (json: JsonValue): JsonValue => without((value) => value === null, json);

/** Removes empty texts too, which ProtoJSON treats as absent. */
const withoutDefaults = (json: JsonValue): JsonValue =>
  without((value, name) => value === null || (value === "" && name !== "text"), json);

function without(isAbsent: (value: JsonValue, name: string) => boolean, json: JsonValue): JsonValue {
  if (Array.isArray(json)) return json.map((each) => without(isAbsent, each));
  if (!isObject(json)) return json;
  const members = Object.entries(json as JsonObject)
    .filter(([name, value]) => !isAbsent(value, name))
    .map(([name, value]): [string, JsonValue] => [name, free.has(name) ? value : without(isAbsent, value)]);
  return Object.fromEntries(members);
}
