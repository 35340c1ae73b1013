import {
  type ErrorName,
  errorTable,
  isObject,
  isStreaming,
  type JsonObject,
  type JsonValue,
  type Operation,
} from "@assay/protocol";
import { bindingName, type ConformanceReport } from "@assay/suite/report";
import type { Behaviour } from "./plan.ts";
import { isOfCaller, type TranslatedCall } from "./traffic/translate.ts";

interface BehaviourRow {
  readonly operations: readonly Operation[];
  readonly rule: string;
  readonly text: string | ((named: (kind: ErrorName) => string) => string);
  /** the only binding that the requirement is about */
  readonly binding?: "HTTP+JSON";
  /** the agents that it is about, by their card; all if absent */
  readonly only?: (capabilities: Capabilities) => boolean;
  /** reads from a call if it meets the requirement; undefined if the call shows nothing */
  readonly see?: (call: TranslatedCall) => { readonly today: string; readonly isMet: boolean } | undefined;
}

/** Names an error with its number or status on each binding of the agent. */
export function errorName(kind: ErrorName, bindings: readonly string[]): string {
  const { code, http, grpc } = errorTable[kind];
  const numbers = Object.entries({ JSONRPC: code, "HTTP+JSON": http, GRPC: grpc })
    .filter(([binding]) => bindings.includes(binding))
    .map(([binding, number]) => `${bindingName(binding)} ${number}`);
  return `${kind}Error${numbers.length ? ` (${numbers.join(", ")})` : ""}`;
}

/** Requirements of 1.0 that a translated response does not show. A test compares the ids with the rules. */
const rows: readonly BehaviourRow[] = [
  {
    operations: ["SendMessage"],
    rule: "SEND-010",
    text: "SendMessage waits until the task has ended or needs input, unless returnImmediately is true.",
  },
  {
    operations: ["SendMessage"],
    rule: "SEND-008",
    text: (named) => `A message to an ended task is rejected with ${named("UnsupportedOperation")}.`,
    see: toEndedTask,
  },
  {
    operations: ["SendMessage"],
    rule: "SEND-009",
    text: (named) => `A part with an unsupported media type is rejected with ${named("ContentTypeNotSupported")}.`,
  },
  {
    operations: ["SendMessage"],
    rule: "ERR-004",
    text: (named) =>
      `The agent validates all parameters of every operation before it starts. A missing id, an unknown role or a part without content is rejected with ${named("InvalidParams")}.`,
  },
  {
    operations: ["SendMessage"],
    rule: "ERR-006",
    text: "An error about parameters names the field, in its message or in a google.rpc.BadRequest. This is a SHOULD.",
  },
  {
    operations: ["SendMessage"],
    rule: "PUSH-047",
    only: ({ pushNotifications }) => !pushNotifications,
    text: (named) =>
      `An agent without push notifications rejects a message with a push configuration with ${named("PushNotificationNotSupported")}. This is a SHOULD.`,
  },
  {
    operations: ["SendStreamingMessage"],
    rule: "STREAM-016",
    text: (named) => `A message to an ended task is rejected with ${named("UnsupportedOperation")}.`,
    see: toEndedTask,
  },
  {
    operations: ["SendStreamingMessage"],
    rule: "STREAM-003",
    text: "A stream begins with the task, or is exactly one message.",
    see: ({ response: { next }, error }) => {
      const first = next.events?.[0];
      if (error || first === undefined) return undefined;
      const member = memberOf(first);
      return member === undefined
        ? undefined
        : { today: `The stream begins with ${member}.`, isMet: member === "task" || member === "message" };
    },
  },
  {
    operations: ["SendStreamingMessage"],
    rule: "HIST-009",
    text: "historyLength of the configuration also limits the history of the task that opens the stream.",
  },
  {
    operations: ["SendStreamingMessage"],
    rule: "STREAM-005",
    text: "The stream closes when the task ends. Nothing says final any more.",
  },
  {
    operations: ["SubscribeToTask"],
    rule: "SUB-001",
    text: "A subscription begins with the current task.",
    see: ({ response: { next }, error }) => {
      const first = next.events?.[0];
      const member = error || first === undefined ? undefined : memberOf(first);
      return member === undefined
        ? undefined
        : { today: `The subscription begins with ${member}.`, isMet: member === "task" };
    },
  },
  {
    operations: ["SubscribeToTask"],
    rule: "SUB-003",
    text: (named) => `A subscription to an ended task is rejected with ${named("UnsupportedOperation")}.`,
    see: toEndedTask,
  },
  {
    operations: ["SubscribeToTask"],
    rule: "REST-006",
    binding: "HTTP+JSON",
    text: "Serve POST and GET: clients of 1.0 use both.",
  },
  {
    operations: ["GetTask"],
    rule: "HIST-004",
    text: "With historyLength 0, the task has no member history. Without historyLength, the agent chooses how much it returns.",
  },
  {
    operations: ["GetTask"],
    rule: "HIST-008",
    text: (named) => `A negative historyLength is rejected with ${named("InvalidParams")}. This is a SHOULD.`,
  },
  {
    operations: ["ListTasks"],
    rule: "LIST-001",
    text: "Every agent has ListTasks. It returns only tasks of the caller.",
  },
  {
    operations: ["ListTasks"],
    rule: "LIST-006",
    text: "The response is {tasks, nextPageToken, pageSize, totalSize}. totalSize counts all tasks that match, on every page.",
  },
  {
    operations: ["ListTasks"],
    rule: "LIST-013",
    text: "Tasks are sorted by the time of their status, newest first.",
  },
  {
    operations: ["ListTasks"],
    rule: "LIST-017",
    text: "Each filter is optional, and a listed task matches all of them: contextId, status and statusTimestampAfter.",
  },
  {
    operations: ["ListTasks"],
    rule: "LIST-008",
    text: "pageSize is a number from 1 to 100, and 50 by default. A page has no more tasks than that.",
  },
  {
    operations: ["ListTasks"],
    rule: "LIST-003",
    text: 'nextPageToken is always present, and "" on the last page. Let it point to a task: with an offset, new tasks shift the next page.',
  },
  {
    operations: ["ListTasks"],
    rule: "LIST-019",
    text: "Tasks have no artifacts, unless includeArtifacts is true. historyLength limits their history.",
  },
  {
    operations: ["ListTasks"],
    rule: "LIST-022",
    text: (named) =>
      `An invalid status, statusTimestampAfter, pageSize or pageToken is rejected with ${named("InvalidParams")}.`,
  },
  {
    operations: ["CancelTask"],
    rule: "CANCEL-002",
    text: (named) => `CancelTask rejects an ended task with ${named("TaskNotCancelable")}.`,
    see: (call) =>
      call.error && call.isForEndedTask && !isOfCaller(call.error)
        ? seenError(call, `${call.error.kind}Error`, call.error.kind === "TaskNotCancelable")
        : undefined,
  },
  {
    operations: ["CreateTaskPushNotificationConfig"],
    rule: "PUSH-022",
    text: "Webhooks get one StreamResponse each: `{task}`, `{message}`, `{statusUpdate}` or `{artifactUpdate}`, not a bare task or event.",
  },
  {
    operations: ["CreateTaskPushNotificationConfig"],
    rule: "PUSH-025",
    text: "Requests to webhooks have Content-Type: application/a2a+json. This is a SHOULD.",
  },
  {
    operations: ["CreateTaskPushNotificationConfig"],
    rule: "PUSH-005",
    text: "The response is the stored configuration with its id, flat.",
  },
  {
    operations: ["GetExtendedAgentCard"],
    rule: "XCARD-001",
    text: (named) => `An agent without an extended card answers with ${named("UnsupportedOperation")}.`,
  },
];

/** Returns the requirements for an operation, with what its calls show. */
export function behaviourOf(
  operation: Operation,
  calls: readonly TranslatedCall[],
  bindings: readonly string[] = [],
  capabilities?: Capabilities,
): Behaviour[] {
  // An agent that performs an operation without declaring it needs the requirements, too.
  if (capabilities && !isDeclared(operation, capabilities) && calls.every(({ error }) => error)) return [];
  return rows
    .filter(
      ({ operations, binding, only }) =>
        operations.includes(operation) &&
        (!binding || bindings.includes(binding)) &&
        (!only || (capabilities !== undefined && only(capabilities))),
    )
    .map(({ rule, text, see }) => {
      const seen = calls.flatMap((call) => see?.(call) ?? []);
      const written = typeof text === "string" ? text : text((kind) => errorName(kind, bindings));
      // A call that breaks the requirement shows more than several that meet it.
      return { rule, text: written, ...(seen.find(({ isMet }) => !isMet) ?? seen[0]) };
    });
}

export type Capabilities = NonNullable<ConformanceReport["capabilities"]>;

const isDeclared = (operation: Operation, { streaming, pushNotifications }: Capabilities): boolean =>
  (streaming || !isStreaming(operation)) && (pushNotifications || !operation.includes("PushNotificationConfig"));

/** Every rule of the table. */
export const behaviourRules: readonly string[] = rows.map(({ rule }) => rule);

function toEndedTask({
  call,
  error,
  response,
  isForEndedTask,
}: TranslatedCall): ReturnType<NonNullable<BehaviourRow["see"]>> {
  if (!isForEndedTask || error?.kind !== "UnsupportedOperation") return undefined;
  // The translated error always fits 1.0, so the recorded body decides.
  const json = JSON.stringify(response.today.body ?? response.today.events ?? "");
  const isGrpc = call.binding === "GRPC";
  if (/^(HTTP 2|grpc-status: OK)/.test(response.today.line) && !json.includes('"error":'))
    return { today: "The agent accepts it.", isMet: false };
  // Several errors share this status, and only the reason tells them apart.
  if (isGrpc && response.today.line.endsWith("FAILED_PRECONDITION") && !json.includes('"reason"')) return undefined;
  const isMet = json.includes(isGrpc ? '"UNSUPPORTED_OPERATION"' : "-32004");
  return seenError({ call, response }, isMet ? "this error" : "another error", isMet);
}

/** The right error can have the wrong status: older versions name none for HTTP+JSON and gRPC. */
function seenError(
  { call, response: { today, next } }: Pick<TranslatedCall, "call" | "response">,
  error: string,
  isRight: boolean,
): { readonly today: string; readonly isMet: boolean } {
  const isStatus = call.binding === "JSONRPC" || today.line === next.line;
  const over = isRight && !isStatus ? `, but with ${today.line} over ${bindingName(call.binding)}` : "";
  return { today: `The agent answers with ${error}${over}.`, isMet: isRight && isStatus };
}

const members = ["task", "message", "statusUpdate", "artifactUpdate"];

function memberOf(event: JsonValue): string | undefined {
  if (!isObject(event)) return undefined;
  const content = isObject(event["result"]) ? (event["result"] as JsonObject) : event;
  return members.find((name) => name in content);
}
