import { errorTable, isObject, type JsonObject, type JsonValue, type Operation } from "@assay/protocol";
import { isOfA2A, type TranslatedCall, type WireMessage } from "./translate.ts";

/** A kind of change between the versions, as it occurs in traffic. */
export interface Change {
  readonly id: string;
  readonly what: string;
  /** what to do in code */
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
  /** finds the change in a member of today's JSON */
  readonly find?: (place: Place, operation: Operation) => string | undefined;
  /** finds the change in the message as a whole */
  readonly compare?: (today: WireMessage, next: WireMessage, call: TranslatedCall) => string | undefined;
}

const arrow = (today: unknown, next: unknown): string => `${word(today)} → ${word(next)}`;
const word = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

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

const rows: readonly ChangeRow[] = [
  {
    id: "method",
    what: "JSON-RPC methods have the names of the operations",
    fix: "Route the new method names. Keep the old names as long as you serve the older version.",
    section: "9.4",
    compare: ({ body: today }, { body: next }) =>
      isObject(today) && isObject(next) && today["method"] !== next["method"] && typeof next["method"] === "string"
        ? arrow(today["method"], next["method"])
        : undefined,
  },
  {
    id: "path",
    what: "HTTP+JSON paths have no /v1",
    fix: "Serve the paths directly below the address of the interface.",
    section: "11.3",
    compare: ({ line: today }, { line: next }) =>
      /^[A-Z]+ /.test(today) && !today.startsWith("HTTP ") && today !== next ? arrow(today, next) : undefined,
  },
  {
    id: "version-header",
    what: "Clients name the version in the header A2A-Version",
    fix: "Read A2A-Version. Treat a missing or empty one as 0.3. Reject versions that you do not serve with VersionNotSupportedError (-32009).",
    section: "3.6.2",
    compare: (_today, { headers }) =>
      headers.some(([name]) => name === "A2A-Version") ? "A2A-Version: 1.0" : undefined,
  },
  {
    id: "extensions-header",
    what: "The header of extensions has a new name",
    fix: "Read and write A2A-Extensions.",
    section: "3.2.6",
    compare: ({ headers }) =>
      headers.some(([name]) => name === "X-A2A-Extensions") ? arrow("X-A2A-Extensions", "A2A-Extensions") : undefined,
  },
  {
    id: "media-type",
    what: "HTTP+JSON has a media type of its own",
    fix: "Accept application/a2a+json and application/json. Answer with application/a2a+json; this is a SHOULD.",
    section: "11.1",
    compare: ({ headers: today }, { headers: next }) => {
      const [now, then] = [today, next].map((headers) => headers.find(([name]) => name === "Content-Type")?.[1]);
      return then === "application/a2a+json" && now !== then ? arrow(now ?? "none", then) : undefined;
    },
  },
  {
    id: "error-status",
    what: "Errors over HTTP+JSON have a fixed status",
    fix: "Use the status of the error table.",
    section: "5.4",
    compare: ({ line: today }, { line: next }) =>
      /^HTTP [45]/.test(today) && today !== next ? arrow(today, next) : undefined,
  },
  {
    id: "error-details",
    what: "Errors of A2A carry an ErrorInfo with a reason",
    fix: "Add {@type, reason, domain} to the details of the error: `data` over JSON-RPC, `error.details` over HTTP+JSON.",
    section: "9.5",
    compare: (_today, _next, { error }) => (error && isOfA2A(error) ? errorTable[error.kind].reason : undefined),
  },
  {
    id: "wrapper",
    what: "The result of a message, and each event, is an object with one member that names its type",
    fix: "Wrap it: {task}, {message}, {statusUpdate} or {artifactUpdate}.",
    section: "3.2.3",
    find: ({ name, value, inside }, operation) =>
      name === "kind" && inside === "result" && wrapped.includes(operation) && wrappers[String(value)]
        ? arrow(`kind: "${String(value)}"`, `{ "${wrappers[String(value)]}": … }`)
        : undefined,
  },
  {
    id: "kind",
    what: "Tasks and messages have no kind",
    fix: "Remove kind.",
    section: "A.2.1",
    find: ({ name, value, inside }, operation) =>
      name === "kind" && wrappers[String(value)] && !(inside === "result" && wrapped.includes(operation))
        ? arrow(`kind: "${String(value)}"`, "(removed)")
        : undefined,
  },
  {
    id: "part",
    what: "Parts have no kind; the member says it",
    fix: "Remove kind (type in 0.1). A part has exactly one of text, raw, url and data.",
    section: "4.1.6",
    find: ({ name, value, inside }) =>
      (name === "kind" || name === "type") && inside === "parts" && partKinds.includes(String(value))
        ? arrow(`${name}: "${String(value)}"`, "(removed)")
        : undefined,
  },
  {
    id: "part-list",
    what: "Messages list their content as parts over every binding",
    fix: "Rename content to parts.",
    section: "4.1.4",
    find: ({ name, value }) => (name === "content" && Array.isArray(value) ? arrow("content", "parts") : undefined),
  },
  {
    id: "file",
    what: "File parts are flat",
    fix: "Write raw or url, filename and mediaType instead of file.bytes or file.uri, file.name and file.mimeType.",
    section: "4.1.6",
    find: ({ name, value, inside }) =>
      name === "file" && inside === "parts" && isObject(value)
        ? arrow(`file.${"uri" in value ? "uri" : "bytes"}`, "uri" in value ? "url" : "raw")
        : undefined,
  },
  {
    id: "state",
    what: "Task states are spelled TASK_STATE_…",
    fix: "Write the names of the enum TaskState.",
    section: "4.1.3",
    find: ({ name, value }) =>
      name === "state" && typeof value === "string" && /^[a-z]/.test(value)
        ? arrow(value, value === "unknown" ? "TASK_STATE_UNSPECIFIED" : `TASK_STATE_${upper(value)}`)
        : undefined,
  },
  {
    id: "timestamp",
    what: "Timestamps are in UTC, end with Z and have milliseconds",
    fix: "Write YYYY-MM-DDTHH:mm:ss.sssZ.",
    section: "5.6.1",
    find: ({ name, value }) =>
      name === "timestamp" && typeof value === "string" && !/T\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)
        ? arrow(value, "….sssZ")
        : undefined,
  },
  {
    id: "role",
    what: "Roles are spelled ROLE_…",
    fix: "Write ROLE_USER and ROLE_AGENT.",
    section: "4.1.5",
    find: ({ name, value }) =>
      name === "role" && typeof value === "string" && /^[a-z]/.test(value)
        ? arrow(value, `ROLE_${upper(value)}`)
        : undefined,
  },
  {
    id: "final",
    what: "Status updates have no final; the end of the stream says it",
    fix: "Remove final, and close the stream when the task ends or waits.",
    section: "3.1.2",
    find: ({ name, value }) =>
      name === "final" && typeof value === "boolean" ? arrow(`final: ${value}`, "(removed)") : undefined,
  },
  {
    id: "blocking",
    what: "returnImmediately replaces blocking, with the opposite meaning",
    fix: "Wait for the end of the task by default. Return at once if returnImmediately is true.",
    section: "3.2.2",
    find: ({ name, value, inside }) =>
      name === "blocking" && inside === "configuration"
        ? arrow(`blocking: ${word(value)}`, value === false ? "returnImmediately: true" : "(removed)")
        : undefined,
  },
  {
    id: "push-config",
    what: "Push configurations are flat",
    fix: "Move id, url, token and authentication next to taskId. authentication has one scheme, not a list.",
    section: "4.3.1",
    find: ({ name, value, inside }) =>
      name === "pushNotificationConfig" && isObject(value) && inside !== "configuration"
        ? arrow("pushNotificationConfig.url", "url")
        : undefined,
  },
  {
    id: "push-in-send",
    what: "The push configuration of a message has a new name",
    fix: "Read configuration.taskPushNotificationConfig.",
    section: "3.2.2",
    find: ({ name, inside }) =>
      name === "pushNotificationConfig" && inside === "configuration"
        ? arrow("pushNotificationConfig", "taskPushNotificationConfig")
        : undefined,
  },
  {
    id: "resource-name",
    what: "Ids are plain",
    fix: "Use the id itself, without tasks/ before it.",
    section: "4.3.1",
    find: ({ name, value }) =>
      (name === "name" || name === "parent") && typeof value === "string" && /^tasks\/[^/]+(\/|$)/.test(value)
        ? arrow(`${name}: ${value.replace(/^(tasks\/)[^/]+/, "$1…")}`, "id or taskId")
        : undefined,
  },
  {
    id: "push-list",
    what: "A list of push configurations is an object",
    fix: "Answer {configs: […]}.",
    section: "3.1.9",
    compare: ({ body }, _next, { call }) =>
      call.operation === "ListTaskPushNotificationConfigs" && Array.isArray(isObject(body) ? body["result"] : body)
        ? arrow("[…]", "{ configs: […] }")
        : undefined,
  },
  {
    id: "session",
    what: "A session is called context",
    fix: "Rename sessionId to contextId. Clients no longer choose the id of a task.",
    section: "3.4.1",
    find: ({ name }) => (name === "sessionId" ? arrow("sessionId", "contextId") : undefined),
  },
  {
    id: "artifact-id",
    what: "Artifacts have an id instead of an index",
    fix: "Write artifactId. append and lastChunk move from the artifact to the event.",
    section: "4.1.7",
    find: ({ name, value, inside }) =>
      name === "index" && typeof value === "number" && (inside === "artifacts" || inside === "artifact")
        ? arrow(`index: ${value}`, `artifactId`)
        : undefined,
  },
];

/** Every kind of change, without how it is found. */
export const knownChanges: readonly Change[] = rows.map(({ find: _, compare: __, ...change }) => change);

/** Returns the changes between the two forms of a call, in the order of the table. */
export function changesIn(translated: TranslatedCall): FoundChange[] {
  const found = new Map<string, string>();
  for (const { today, next } of [translated.request, translated.response]) {
    for (const { id, compare } of rows) {
      const example = compare?.(today, next, translated);
      if (example !== undefined && !found.has(id)) found.set(id, example);
    }
    for (const json of [today.body ?? [], ...(today.events ?? [])])
      visit(json, "", (place) => {
        for (const { id, find } of rows) {
          const example = found.has(id) ? undefined : find?.(place, translated.call.operation);
          if (example !== undefined) found.set(id, example);
        }
      });
  }
  return rows.flatMap(({ find: _, compare: __, ...change }) => {
    const example = found.get(change.id);
    return example === undefined ? [] : [{ ...change, example }];
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
