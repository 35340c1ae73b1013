import { isObject, type JsonObject, type JsonValue, type Operation, type Reading, v03, v10 } from "@assay/protocol";
import type { AbstractOperation, Given } from "@assay/scenarios";
import type { DriverOp, RawDriverAnswer } from "./client-driver.ts";
import type { DriverModel } from "./description.ts";

/** The op of a driver, and the operation of the protocol, behind an operation of scenarios. */
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

/** A request in the words of 1.0 as a driver of a model takes it. */
export function writtenFor(model: DriverModel, operation: Operation | undefined, request: JsonObject): JsonValue {
  if (model === "1.0" || operation === undefined || v03.methodOf(operation) === undefined) return request;
  return v03.writeRequest(operation, request as never);
}

/** What a driver gave, in the words of 1.0. */
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
    // In the JSON of 1.0 what has its default may be left out, also where the wire has to have it, and can be judged so.
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

/** What a program reads as empty is empty, whether or not the printer of its SDK writes it down (AMB-08). */
const withDefaults = (operation: Operation, result: JsonValue): JsonValue =>
  operation === "ListTasks" && isObject(result)
    ? ({ tasks: [], nextPageToken: "", totalSize: 0, ...result } as JsonObject)
    : result;

/** What cannot be the value of a member at all. */
const unreadable: ReadonlySet<string> = new Set(["wrong-type", "unknown-value", "format"]);

/** Members whose value is free. */
const free: ReadonlySet<string> = new Set(["data", "metadata", "params"]);

/** JSON as SDKs write it from objects whose members are all there: what is null is absent. */
const withoutNulls = (json: JsonValue): JsonValue => without((value) => value === null, json);

/** ProtoJSON takes an empty text for one that is absent, too. */
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
