import {
  type Binding,
  type DialectVersion,
  errorTable,
  isObject,
  type JsonObject,
  type JsonValue,
  type Operation,
  writtenText,
} from "@assay/protocol";
import { errorName } from "../behaviour.ts";
import { isOfA2A, resultsOf, type TranslatedCall, type WireMessage } from "./translate.ts";

/** A kind of change between the versions, as it occurs in traffic. */
export interface Change {
  readonly id: string;
  readonly what: string;
  /** the change to make in the code */
  readonly fix: string;
  /** the section of the 1.0 specification */
  readonly section: string;
}

/** A change with the first place at which it occurs. */
export interface FoundChange extends Change {
  /** "message/send → SendMessage" */
  readonly example: string;
}

interface Place {
  readonly name: string;
  readonly value: JsonValue;
  readonly holder: JsonObject;
  /** the name of the member that holds the holder; "" at the top, the name of the list for its items */
  readonly inside: string;
}

interface ChangeRow extends Change {
  /** what else to change on a binding */
  readonly also?: Readonly<Partial<Record<Binding, string>>>;
  /** the change to make in the code of a client; absent if it needs none */
  readonly forClient?: string;
  /** where the change can occur, for the list of changes that the traffic did not show; everywhere if absent */
  readonly where?: {
    readonly bindings?: readonly Binding[];
    readonly versions?: readonly DialectVersion[];
    /** only for agents with push notifications */
    readonly push?: true;
  };
  /** repairs an agent that breaks its own version: both versions require the same */
  readonly isRepair?: true;
  /** finds the change in a member of today's JSON */
  readonly find?: (place: Place, operation: Operation, binding: Binding) => string | undefined;
  /** finds the change in the message as a whole */
  readonly compare?: (today: WireMessage, next: WireMessage, call: TranslatedCall) => string | undefined;
}

const memberNames = (json: unknown): string =>
  isObject(json) ? `{ ${Object.keys(json).join(", ")} }` : json === undefined ? "no body" : "other JSON";

const arrow = (today: unknown, next: unknown): string => `${word(today)} → ${word(next)}`;
const word = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

const contentType = (headers: WireMessage["headers"]): string | undefined =>
  headers.find(([name]) => name === "Content-Type")?.[1];

const [rpc, rest, rpcAndRest, restAndGrpc] = [
  { bindings: ["JSONRPC"] },
  { bindings: ["HTTP+JSON"] },
  { bindings: ["JSONRPC", "HTTP+JSON"] },
  { bindings: ["HTTP+JSON", "GRPC"] },
] as const;
const [since02, only01] = [{ versions: ["0.2", "0.3"] }, { versions: ["0.1"] }] as const;

const partKinds = ["text", "file", "data"];
const upper = (text: string): string => text.toUpperCase().replaceAll("-", "_");
/** Operations whose result, or whose events, have a wrapper. */
const wrapped: readonly Operation[] = ["SendMessage", "SendStreamingMessage", "SubscribeToTask"];
const wrappers: Readonly<Record<string, string>> = {
  task: "task",
  message: "message",
  "status-update": "statusUpdate",
  "artifact-update": "artifactUpdate",
};

/** Returns the change of a resource name of protobuf. */
const resourceName = ({ name, value }: Place, next: string): string | undefined =>
  (name === "name" || name === "parent") && typeof value === "string" && /^tasks\/[^/]+(\/|$)/.test(value)
    ? arrow(`${name}: ${value.replace(/^(tasks\/)[^/]+/, "$1…")}`, next)
    : undefined;

const rows: readonly ChangeRow[] = [
  {
    id: "method",
    where: rpc,
    what: "JSON-RPC methods have the names of the operations",
    fix: "Route the new method names. Keep the old names as long as you serve the older version.",
    forClient: "Call the new method names.",
    section: "9.4",
    compare: ({ body: today }, { body: next }) =>
      isObject(today) && isObject(next) && today["method"] !== next["method"] && typeof next["method"] === "string"
        ? arrow(today["method"], next["method"])
        : undefined,
  },
  {
    id: "path",
    where: rest,
    what: "HTTP+JSON paths have no /v1",
    fix: "Serve the paths directly below the address of the interface.",
    forClient: "Call the paths directly below the address of the interface.",
    section: "11.3",
    compare: ({ line: today }, { line: next }) =>
      /^[A-Z]+ /.test(today) && !today.startsWith("HTTP ") && today !== next ? arrow(today, next) : undefined,
  },
  {
    id: "package",
    where: { bindings: ["GRPC"] },
    what: "The gRPC service has a new package",
    fix: "Generate your code from the package lf.a2a.v1. Keep the old service as long as you serve the older version.",
    forClient: "Generate your code from the package lf.a2a.v1.",
    section: "10.1",
    compare: ({ line: today }, { line: next }) => (today.startsWith("a2a.v1.") ? arrow(today, next) : undefined),
  },
  {
    id: "version-header",
    what: "Clients name the version in the header A2A-Version",
    fix: "Read A2A-Version from the header, or else from the query. Without one, answer in the older version; 1.0 calls it 0.3. Reject versions that you do not serve with VersionNotSupportedError.",
    forClient: "Send A2A-Version: 1.0 with every request.",
    section: "3.6.2",
    compare: (_today, { headers }) =>
      headers.some(([name]) => name === "A2A-Version") ? "A2A-Version: 1.0" : undefined,
  },
  {
    id: "extensions-header",
    where: since02,
    what: "The header of extensions has a new name",
    fix: "Read and write A2A-Extensions.",
    forClient: "Write and read A2A-Extensions.",
    section: "3.2.6",
    compare: ({ headers }) =>
      headers.some(([name]) => name === "X-A2A-Extensions") ? arrow("X-A2A-Extensions", "A2A-Extensions") : undefined,
  },
  {
    id: "media-type",
    where: rest,
    what: "HTTP+JSON has a media type of its own",
    fix: "Accept application/a2a+json and application/json. Answer with application/a2a+json; this is a SHOULD.",
    forClient: "Send and accept application/a2a+json.",
    section: "11.1",
    compare: ({ headers: today }, { headers: next }) => {
      const [now, then] = [today, next].map(contentType);
      // A stream that failed may change to a response.
      const isNew = then === "application/a2a+json" && now !== then && now !== "text/event-stream";
      return isNew ? arrow(now ?? "none", then) : undefined;
    },
  },
  {
    id: "json-type",
    isRepair: true,
    what: "JSON-RPC responses have the media type application/json",
    fix: "Write Content-Type: application/json. Only streams have text/event-stream.",
    section: "9.1",
    compare: ({ headers: today }, { line, headers: next }, { call }) => {
      const [now, then] = [today, next].map(contentType);
      const isResponse = call.binding === "JSONRPC" && line.startsWith("HTTP ");
      return isResponse && now !== undefined && now !== then ? arrow(now, then ?? "none") : undefined;
    },
  },
  {
    id: "rpc-id",
    isRepair: true,
    what: "JSON-RPC responses repeat the id of the request, with its type",
    fix: "Write the id as the client sent it: a number stays a number.",
    section: "9.1",
    compare: ({ body: today }, { body: next }, { call }) =>
      call.binding === "JSONRPC" && isObject(today) && isObject(next) && today["id"] !== next["id"]
        ? arrow(`id: ${JSON.stringify(today["id"]) ?? "none"}`, `id: ${JSON.stringify(next["id"])}`)
        : undefined,
  },
  {
    id: "error-status",
    where: rest,
    what: "Errors over HTTP+JSON have a fixed status",
    fix: "Use the status of the error table.",
    forClient: "Identify an error by the reason in its details, not by its status.",
    section: "5.4",
    compare: ({ line: today }, { line: next }) =>
      /^HTTP [45]/.test(next) && today !== next ? arrow(today, next) : undefined,
  },
  {
    id: "error-body",
    where: rest,
    what: "Errors over HTTP+JSON have one form",
    fix: "Answer {error: {code, status, message, details}}. code is the HTTP status, status is its gRPC name.",
    forClient: "Read {error: {code, status, message, details}}.",
    section: "11.6",
    compare: ({ body: today }, { line, body: next }, { call }) =>
      call.binding === "HTTP+JSON" && /^HTTP [45]/.test(line) && memberNames(today) !== memberNames(next)
        ? arrow(memberNames(today), `{ error: ${memberNames(isObject(next) ? next["error"] : undefined)} }`)
        : undefined,
  },
  {
    id: "error-details",
    what: "Errors of A2A carry an ErrorInfo with a reason",
    fix: "Add {@type, reason, domain} to the details of the error.",
    also: {
      GRPC: "Over gRPC (§10.6, `grpc-status-details-bin`) this is a MUST.",
      "HTTP+JSON": "Over HTTP+JSON (§11.6, `error.details`) this is a MUST.",
      JSONRPC: "Over JSON-RPC (`data`) this is a SHOULD.",
    },
    forClient:
      "Read the reason from the ErrorInfo: in `grpc-status-details-bin` over gRPC, in `error.details` over HTTP+JSON, in `data` over JSON-RPC, where it may be missing.",
    section: "9.5",
    compare: (_today, _next, { error }) => (error && isOfA2A(error) ? errorTable[error.kind].reason : undefined),
  },
  {
    id: "wrapper",
    where: rpc,
    what: "The result of a message, and each event, is an object with one member that names its type",
    fix: "Wrap it: `{task}`, `{message}`, `{statusUpdate}` or `{artifactUpdate}`.",
    forClient: "Read the one member that is present: task, message, statusUpdate or artifactUpdate.",
    section: "3.2.3",
    compare: (today, next, { call }) => {
      const [before] = resultsOf(today);
      const after = Object.keys(resultsOf(next)[0] ?? {});
      const wrapper = after.length === 1 && Object.values(wrappers).includes(after[0]!) ? after[0]! : undefined;
      if (!wrapped.includes(call.operation) || !before || !wrapper || wrapper in before) return undefined;
      const kind = before["kind"];
      return arrow(kind === undefined ? "no kind" : `kind: ${JSON.stringify(kind)}`, `{ "${wrapper}": … }`);
    },
  },
  {
    id: "kind",
    where: { ...rpc, ...since02 },
    what: "Tasks and messages have no kind",
    fix: "Remove kind.",
    forClient: "Do not send kind or rely on it.",
    section: "A.2.1",
    find: ({ name, value, inside }, operation) =>
      name === "kind" && wrappers[writtenText(value)] && !(inside === "result" && wrapped.includes(operation))
        ? arrow(`kind: "${writtenText(value)}"`, "(removed)")
        : undefined,
  },
  {
    id: "part",
    where: rpc,
    what: "Parts have no kind; the member says it",
    fix: "Remove kind (type in 0.1). A part has exactly one of text, raw, url and data.",
    forClient: "Do not send kind or rely on it. The member of a part says its type: text, raw, url or data.",
    section: "4.1.6",
    find: ({ name, value, inside }) =>
      (name === "kind" || name === "type") && inside === "parts" && partKinds.includes(writtenText(value))
        ? arrow(`${name}: "${writtenText(value)}"`, "(removed)")
        : undefined,
  },
  {
    id: "part-list",
    where: restAndGrpc,
    what: "Messages list their content as parts over every binding",
    fix: "Rename content to parts.",
    forClient: "Write and read parts.",
    section: "4.1.4",
    find: ({ name, value }) => (name === "content" && Array.isArray(value) ? arrow("content", "parts") : undefined),
  },
  {
    id: "file",
    what: "File parts are flat",
    fix: "Write raw or url, filename and mediaType instead of file.bytes or file.uri, file.name and file.mimeType.",
    forClient: "Write and read raw or url, filename and mediaType.",
    section: "4.1.6",
    find: ({ name, value, inside }) =>
      name === "file" && inside === "parts" && isObject(value)
        ? arrow(`file.${"uri" in value ? "uri" : "bytes"}`, "uri" in value ? "url" : "raw")
        : undefined,
  },
  {
    id: "state",
    where: rpc,
    what: "Task states are spelled TASK_STATE_…",
    fix: "Write the names of the enum TaskState.",
    forClient: "Compare states with the names of the enum TaskState.",
    section: "4.1.3",
    find: ({ name, value }) =>
      name === "state" && typeof value === "string" && /^[a-z]/.test(value)
        ? arrow(value, value === "unknown" ? "TASK_STATE_UNSPECIFIED" : `TASK_STATE_${upper(value)}`)
        : undefined,
  },
  {
    id: "canceled",
    where: rest,
    what: "The canceled state is spelled with one L",
    fix: "Write TASK_STATE_CANCELED.",
    forClient: "Compare the state with TASK_STATE_CANCELED.",
    section: "4.1.3",
    find: ({ name, value }) =>
      name === "state" && value === "TASK_STATE_CANCELLED" ? arrow(value, "TASK_STATE_CANCELED") : undefined,
  },
  {
    id: "timestamp",
    where: rpcAndRest,
    what: "Timestamps are in UTC and end with Z",
    fix: "Write YYYY-MM-DDTHH:mm:ss.sssZ. Other numbers of decimals are allowed.",
    forClient: "Read times in UTC that end with Z.",
    section: "5.6.1",
    // Over gRPC, protobuf has a type for times.
    find: ({ name, value }, _operation, binding) =>
      binding !== "GRPC" &&
      name === "timestamp" &&
      typeof value === "string" &&
      !/T\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(value)
        ? arrow(value, "…Z")
        : undefined,
  },
  {
    id: "role",
    where: rpc,
    what: "Roles are spelled ROLE_…",
    fix: "Write ROLE_USER and ROLE_AGENT.",
    forClient: "Send ROLE_USER, and expect ROLE_AGENT.",
    section: "4.1.5",
    find: ({ name, value }) =>
      name === "role" && typeof value === "string" && /^[a-z]/.test(value)
        ? arrow(value, `ROLE_${upper(value)}`)
        : undefined,
  },
  {
    id: "final",
    what: "Status updates have no final; the end of the stream says it",
    fix: "Remove final. Close the stream when the task ends.",
    also: { "HTTP+JSON": "Over HTTP+JSON, close it also when the task waits for input (§11.7)." },
    forClient: "Read a stream until it closes.",
    section: "3.1.2",
    find: ({ name, value }) =>
      name === "final" && typeof value === "boolean" ? arrow(`final: ${value}`, "(removed)") : undefined,
  },
  {
    id: "blocking",
    where: since02,
    what: "returnImmediately replaces blocking, with the opposite meaning",
    fix: "Wait for the end of the task by default. Return at once if returnImmediately is true.",
    forClient: "Do not send blocking. Send returnImmediately: true instead of blocking: false.",
    section: "3.2.2",
    find: ({ name, value, inside }) =>
      name === "blocking" && inside === "configuration"
        ? arrow(`blocking: ${word(value)}`, value === false ? "returnImmediately: true" : "(removed)")
        : undefined,
  },
  {
    id: "push-config",
    where: { push: true },
    what: "Push configurations are flat",
    fix: "Move id, url, token and authentication next to taskId. authentication has one scheme, not a list.",
    forClient:
      "Write and read id, url, token and authentication next to taskId. authentication has one scheme, not a list.",
    section: "4.3.1",
    find: ({ name, value, inside }) =>
      name === "pushNotificationConfig" && isObject(value) && inside !== "configuration"
        ? arrow("pushNotificationConfig.url", "url")
        : undefined,
  },
  {
    id: "push-ids",
    where: { ...rpc, push: true },
    what: "Requests about push configurations name the task as taskId",
    fix: "Read taskId. To get or delete a configuration, its id is in id and is required.",
    forClient: "Send the task as taskId and the configuration as id.",
    section: "4.3.1",
    compare: ({ body: today }, { body: next }, { call }) => {
      const [before, after] = [today, next].map((body) => (isObject(body) ? body["params"] : undefined));
      const isRead = /^(Get|List|Delete)TaskPush/.test(call.operation);
      return isRead && isObject(before) && isObject(after) && "taskId" in after && !("taskId" in before)
        ? arrow(Object.keys(before).join(", "), Object.keys(after).join(", "))
        : undefined;
    },
  },
  {
    id: "push-deleted",
    where: { ...rpc, ...since02, push: true },
    what: "The response to a deletion is an empty object",
    fix: "Answer {}, the JSON of google.protobuf.Empty. No sentence of 1.0 requires it.",
    forClient: "Accept any response without an error.",
    section: "3.1.10",
    compare: ({ body: today }, { body: next }, { call }) =>
      call.operation === "DeleteTaskPushNotificationConfig" &&
      isObject(today) &&
      isObject(next) &&
      today["result"] === null
        ? arrow("result: null", "result: {}")
        : undefined,
  },
  {
    id: "push-in-send",
    where: { ...since02, push: true },
    what: "The push configuration of a message has a new name",
    fix: "Read configuration.taskPushNotificationConfig.",
    forClient: "Send configuration.taskPushNotificationConfig.",
    section: "3.2.2",
    find: ({ name, inside }) =>
      name === "pushNotificationConfig" && inside === "configuration"
        ? arrow("pushNotificationConfig", "taskPushNotificationConfig")
        : undefined,
  },
  {
    id: "resource-name",
    where: restAndGrpc,
    what: "Ids of tasks are plain",
    fix: "Use the id itself, without tasks/ before it.",
    forClient: "Send the id itself, without tasks/ before it.",
    section: "3.1.3, 3.1.5, 3.1.6",
    find: (place, operation) => (operation.includes("PushNotificationConfig") ? undefined : resourceName(place, "id")),
  },
  {
    id: "push-resource-name",
    where: { ...restAndGrpc, push: true },
    what: "Push configurations have plain ids",
    fix: "Use taskId and id, without tasks/ and pushNotificationConfigs/ before them.",
    forClient: "Send taskId and id, without tasks/ and pushNotificationConfigs/ before them.",
    section: "4.3.1",
    find: (place, operation) =>
      operation.includes("PushNotificationConfig") ? resourceName(place, "taskId and id") : undefined,
  },
  {
    id: "push-list",
    where: { ...rpcAndRest, ...since02, push: true },
    what: "A list of push configurations is an object",
    fix: "Answer {configs: […]}.",
    forClient: "Read the list from configs.",
    section: "3.1.9",
    compare: ({ body }, _next, { call }) =>
      call.operation === "ListTaskPushNotificationConfigs" && Array.isArray(isObject(body) ? body["result"] : body)
        ? arrow("[…]", "{ configs: […] }")
        : undefined,
  },
  {
    id: "session",
    where: only01,
    what: "A session is called context",
    fix: "Rename sessionId to contextId. Write contextId and taskId into each update. Clients no longer choose the id of a task.",
    forClient: "Send contextId. The agent chooses the id of a new task.",
    section: "3.4.1",
    find: ({ name }) => (name === "sessionId" ? arrow("sessionId", "contextId") : undefined),
  },
  {
    id: "message-id",
    where: only01,
    what: "Each message has an id",
    fix: "Write a new messageId into each message of the agent, and require one of clients.",
    forClient: "Send a new messageId with each message.",
    section: "4.1.4",
    find: ({ name, holder }) =>
      name === "role" && "parts" in holder && !("messageId" in holder) ? arrow("none", "messageId") : undefined,
  },
  {
    id: "artifact-id",
    where: only01,
    what: "Artifacts have an id instead of an index",
    fix: "Write artifactId. append and lastChunk move from the artifact to the event.",
    forClient: "Read artifactId. append and lastChunk are members of the event.",
    section: "4.1.7",
    find: ({ name, value, inside }) =>
      name === "index" && typeof value === "number" && (inside === "artifacts" || inside === "artifact")
        ? arrow(`index: ${value}`, `artifactId`)
        : undefined,
  },
];

const changeOf = ({ id, what, fix, section }: ChangeRow): Change => ({ id, what, fix, section });

/** Returns the change to make in the code of an agent with these bindings. */
export function fixFor(id: string, bindings: readonly string[]): string {
  const { fix, also = {} } = rows.find((row) => row.id === id)!;
  const more = Object.entries(also).filter(([binding]) => bindings.includes(binding));
  return [fix, ...more.map(([, text]) => text)]
    .join(" ")
    .replace("VersionNotSupportedError", errorName("VersionNotSupported", bindings));
}

/** Returns the change to make in the code of a client. */
export const fixForClient = (id: string): string | undefined => rows.find((row) => row.id === id)?.forClient;

/** Every kind of change, without the functions that find it. */
export const knownChanges: readonly Change[] = rows.map(changeOf);

/** Returns the kinds of changes that an agent can need, whether or not its traffic shows them. */
export const possibleChanges = (
  version: DialectVersion,
  bindings: readonly string[],
  hasPush: boolean,
): readonly Change[] =>
  rows
    .filter(
      ({ where = {}, isRepair }) =>
        !isRepair &&
        (where.versions?.includes(version) ?? true) &&
        (where.bindings?.some((binding) => bindings.includes(binding)) ?? true) &&
        (hasPush || !where.push),
    )
    .map(changeOf);

/** Returns the changes between the two forms of a call, in the order of the table. */
export function changesIn(translated: TranslatedCall): FoundChange[] {
  const found = new Map<string, string>();
  const { request, response, error } = translated;
  // An agent that serves no push notifications rejects these requests whatever their form.
  const applicable = rows.filter(({ where }) => !where?.push || error?.kind !== "PushNotificationNotSupported");
  for (const { today, next } of [request, response]) {
    for (const { id, compare } of applicable) {
      const example = compare?.(today, next, translated);
      if (example !== undefined && !found.has(id)) found.set(id, example);
    }
    // An error of 1.0 replaces the whole body.
    if (error && today === response.today) continue;
    for (const json of [today.body ?? [], ...(today.events ?? [])])
      visit(json, "", (place) => {
        for (const { id, find } of applicable) {
          const example = found.has(id) ? undefined : find?.(place, translated.call.operation, translated.call.binding);
          if (example !== undefined) found.set(id, example);
        }
      });
  }
  return rows.flatMap((row) => {
    const example = found.get(row.id);
    return example === undefined ? [] : [{ ...changeOf(row), example }];
  });
}

function visit(json: JsonValue, inside: string, see: (place: Place) => void): void {
  if (Array.isArray(json)) for (const item of json) visit(item, inside, see);
  else if (isObject(json))
    for (const [name, value] of Object.entries(json) as [string, JsonValue][]) {
      see({ name, value, holder: json as JsonObject, inside });
      // Free JSON may have any member.
      if (name !== "metadata" && !(name === "data" && inside === "parts")) visit(value, name, see);
    }
}
