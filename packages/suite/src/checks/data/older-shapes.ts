import {
  type DialectVersion,
  isObject,
  type JsonObject,
  type JsonValue,
  type OlderWire,
  type Violation,
  validateDialect,
} from "@assay/protocol";
import { asObject, asObjects, asText, brief } from "../../answers/loose-json.ts";
import type { Call } from "../../define/call.ts";
import { passiveCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds } from "../../define/finding.ts";
import { inputRequired } from "../../observations/conversation.ts";
import { directMessage, sentMessage } from "../../observations/sent-message.ts";
import { slowTask } from "../../observations/slow-task.ts";
import { taskStream } from "../../observations/task-stream.ts";
import { taskWithFile } from "../../observations/task-with-artifacts.ts";
import type { BreachCode } from "../../rules/breach-codes.ts";
import { ruleIn } from "../../rules/catalogue.ts";
import { shapesOf } from "../../shapes/of-call.ts";
import { ownerOf } from "../../shapes/owners.ts";

/** Judges the JSON-RPC form of 0.2 and 0.3, where `kind` names the type of an object. */

/** The type of an object by its place or its members, never by its own `kind`. */
type Kinded = "task" | "message" | "status-update" | "artifact-update";

interface Document {
  readonly is: Kinded;
  readonly json: JsonObject;
}

const withTask = ["GetTask", "CancelTask"];

/** Returns the results of a call: its response, or each event of its stream. */
function documentsIn(call: Call): readonly Document[] {
  const results = resultsIn(call);
  if (call.said.is === "stream") return results.flatMap((json) => documentOf(json, isEvent));
  if (call.operation === "SendMessage") return results.flatMap((json) => documentOf(json, isAnswer));
  return results.flatMap((json) => (isObject(json) ? [{ is: "task", json: json as JsonObject }] : []));
}

/** Returns the results of a call that must have a kind. */
function resultsIn({ said, operation, fair, on }: Call): readonly JsonValue[] {
  if (on.binding !== "JSONRPC" || (on.dialect !== "0.3" && on.dialect !== "0.2") || operation === undefined) return [];
  // An irregular request may get another response; the check that sent it judges that.
  if (!fair) return [];
  if (said.is === "stream") return said.events.flatMap((frame) => (frame.is === "result" ? [frame.json] : []));
  return said.is === "result" && (operation === "SendMessage" || withTask.includes(operation)) ? [said.json] : [];
}

function documentOf(json: JsonValue, kindOf: (json: JsonObject) => Kinded | undefined): Document[] {
  const object = asObject(json);
  const is = object && kindOf(object);
  return object && is ? [{ is, json: object }] : [];
}

const wrappers = {
  task: "task",
  message: "message",
  statusUpdate: "status-update",
  artifactUpdate: "artifact-update",
} as const;

/** Returns the results and events in the wrapper that only 1.0 has. The reader of replies accepts it. */
function wrappedIn(call: Call): readonly Document[] {
  // In the result of GetTask, the wrapper is already a Task without kind.
  if (withTask.includes(call.operation ?? "")) return [];
  return resultsIn(call).flatMap((result): Document[] => {
    const json = asObject(result);
    const member = (Object.keys(wrappers) as (keyof typeof wrappers)[]).find((name) => isObject(json?.[name]));
    return json && member && json["kind"] === undefined ? [{ is: wrappers[member], json }] : [];
  });
}

const isAnswer = ({ status, parts }: JsonObject): Kinded | undefined =>
  status !== undefined ? "task" : Array.isArray(parts) ? "message" : undefined;

function isEvent(json: JsonObject): Kinded | undefined {
  if (isObject(json["artifact"])) return "artifact-update";
  // An update has `taskId`, a task has `id`.
  if (isObject(json["status"])) return asText(json["id"]) !== undefined ? "task" : "status-update";
  return Array.isArray(json["parts"]) ? "message" : undefined;
}

/** An object within a document, and its place. */
interface Placed {
  readonly path: string;
  readonly json: JsonObject;
}

/** Returns the agent's messages in a document, without those of clients. */
function messagesIn({ is, json }: Document): readonly Placed[] {
  const own = is === "message" ? [{ path: "$", json }] : [];
  const status = asObject(asObject(json["status"])?.["message"]);
  const history = asObjects(json["history"]).map((message, index) => ({ path: `$.history[${index}]`, json: message }));
  return [
    ...own,
    ...(status ? [{ path: "$.status.message", json: status }] : []),
    ...history.filter((message) => message.json["role"] !== "user"),
  ];
}

/** Returns the parts of those messages, and of the artifacts. */
function partsIn(document: Document): readonly Placed[] {
  const { json } = document;
  const artifact = asObject(json["artifact"]);
  const artifacts = [
    ...(artifact ? [{ path: "$.artifact", json: artifact }] : []),
    ...asObjects(json["artifacts"]).map((each, index) => ({ path: `$.artifacts[${index}]`, json: each })),
  ];
  return [...messagesIn(document), ...artifacts].flatMap((holder) =>
    asObjects(holder.json["parts"]).map((part, index) => ({ path: `${holder.path}.parts[${index}]`, json: part })),
  );
}

const names = {
  task: "a Task",
  message: "a Message",
  "status-update": "a status update",
  "artifact-update": "an artifact update",
} as const;

export const resultsSayIt = passiveCheck("V03-DATA-001", {
  shownBy: [sentMessage, taskStream],
  otherwise: "the agent sent no task, message or event",
  judge(call) {
    const findings = [
      ...documentsIn(call).map(({ is, json }) => judged(names[is], is, { path: "$", json }, call)),
      ...wrappedIn(call).map(({ is, json }) =>
        broken(`${names[is]} is wrapped in an object, as in 1.0`, {
          saw: `$: ${brief(json)}`,
          want: `the object itself, with "kind": "${is}"`,
          at: call,
        }),
      ),
    ];
    return findings.length ? findings : undefined;
  },
});

function judged(what: string, kind: string, { path, json }: Placed, at: Call): Finding {
  if (json["kind"] === kind) return holds();
  const found = json["kind"] === undefined ? "no kind" : "the wrong kind";
  return broken(`${what} has ${found}`, { saw: `${path}: ${brief(json)}`, want: `"kind": "${kind}"`, at });
}

/** Reports the member name of 0.1. */
const typed = ({ path, json }: Placed, kind: string, at: Call): Finding =>
  breach("type-for-kind", "a Part has type, as in 0.1, instead of kind", {
    saw: `${path}: ${brief(json)}`,
    want: `"kind": "${kind}"`,
    remedy: "Rename the member `type` of every part to `kind`, its name since 0.2.",
    at,
  });

export const innerSayIt = passiveCheck("V03-DATA-002", {
  shownBy: [sentMessage, taskWithFile],
  otherwise: "the agent sent no parts",
  judge(call) {
    const findings = documentsIn(call).flatMap((document): Finding[] => [
      ...messagesIn(document)
        .filter(({ path }) => path !== "$")
        .map((message) => judged("a Message within a task", "message", message, call)),
      ...partsIn(document).flatMap((part) => {
        const kind = (["text", "file", "data"] as const).find((member) => part.json[member] !== undefined);
        // DATA-020 judges a part without content.
        if (kind === undefined) return [];
        const isTyped = part.json["kind"] === undefined && part.json["type"] === kind;
        return [isTyped ? typed(part, kind, call) : judged(`a Part with ${kind}`, kind, part, call)];
      }),
    ]);
    return findings.length ? findings : undefined;
  },
});

const states = [
  "submitted",
  "working",
  "input-required",
  "completed",
  "canceled",
  "failed",
  "rejected",
  "auth-required",
  "unknown",
];

/** Recognises a state in another spelling; LIFE-001 judges unknown states. */
const spelled = (word: string): string =>
  word
    .replace(/^TASK_STATE_/i, "")
    .toLowerCase()
    .replaceAll("_", "-")
    .replace("cancelled", "canceled");

export const wordsOfTheTime = passiveCheck("V03-DATA-003", {
  shownBy: [sentMessage, slowTask, inputRequired, directMessage],
  otherwise: "the agent sent no task and no message",
  judge(call) {
    const findings = documentsIn(call).flatMap((document): Finding[] => {
      const state = asObject(document.json["status"])?.["state"];
      const roles = messagesIn(document).map(({ path, json }) => ({ path: `${path}.role`, role: json["role"] }));
      return [
        ...(typeof state === "string" ? [ofState(state)] : []),
        ...roles.flatMap(({ path, role }) => (typeof role === "string" ? [ofRole(path, role)] : [])),
      ];
    });
    return findings.length ? findings : undefined;

    function ofState(state: string): Finding {
      if (states.includes(state) || !states.includes(spelled(state))) return holds();
      const want = `"${spelled(state)}"`;
      return broken("a state is not spelled as in the schema", {
        saw: `$.status.state: ${brief(state, 60)}`,
        want,
      });
    }

    function ofRole(path: string, role: string): Finding {
      if (role === "user" || role === "agent") return holds();
      return broken("a role is not spelled as in the schema", {
        saw: `${path}: ${brief(role, 60)}`,
        want: '"user" or "agent"',
      });
    }
  },
});

const definitions = {
  task: "Task",
  message: "Message",
  "status-update": "TaskStatusUpdateEvent",
  "artifact-update": "TaskArtifactUpdateEvent",
} as const;

/** The last 0.2 release defines the most members, so members that only it defines are allowed. */
const wireOf = (dialect: DialectVersion): OlderWire => (dialect === "0.2" ? "0.2.6" : "0.3");

export const fitsTheSchema = passiveCheck("V03-DATA-004", {
  shownBy: [sentMessage, taskStream],
  otherwise: "the agent sent no task, message or event",
  judge(call) {
    const documents = documentsIn(call);
    if (documents.length === 0) return undefined;
    const told = toldElsewhere(call);
    const findings = documents.flatMap((document) => faultsOf(document, call, told));
    return findings.length ? findings : holds();
  },
});

function faultsOf({ is, json }: Document, call: Call, told: readonly string[]): Finding[] {
  const definition = definitions[is];
  const faults = validateDialect(wireOf(call.on.dialect), definition, withoutClients(json));
  return faults.flatMap((fault): Finding[] => {
    const { path, message, demand } = fault;
    if (ownRules.test(path) || told.some((place) => isWithin(path, place) || isWithin(place, path))) return [];
    const sentence = `${definition}${path.slice(1).replaceAll(/\[\d+\]/g, "[]")} ${demand}`;
    const details = { saw: `${path}: ${message}`, want: `a ${definition} of the schema`, at: call };
    return [breach(codeOf(fault, json), sentence, details)];
  });
}

/** Members with rules of their own: `kind`, states, roles, and `final`, which may be omitted. */
const ownRules = /\.(kind|role|state|final)$/;

function codeOf({ code, path }: Violation, json: JsonObject): BreachCode {
  if (code === "null") return "null-member";
  return /\.file$/.test(path) && hasFileData(json) ? "file-under-data" : "broken";
}

const hasFileData = (json: JsonObject): boolean => /"file":\{[^{}]*"data":/.test(brief(json, Infinity));

/** Drops messages of clients from the history. */
const withoutClients = (json: JsonObject): JsonObject =>
  Array.isArray(json["history"])
    ? { ...json, history: asObjects(json["history"]).filter(({ role }) => role !== "user") }
    : json;

/** Places that shared rules judge: wrapped responses, and files that are not objects. */
const toldElsewhere = (call: Call): readonly string[] =>
  shapesOf(call)
    .deviations.filter((deviation) => ruleIn(call.on.dialect, ownerOf(deviation)))
    .map(({ path }) => path.replace(/^\$\.(task|message|statusUpdate|artifactUpdate)(?=[.[]|$)/, "$"));

const isWithin = (path: string, place: string): boolean =>
  place !== "$" && path.startsWith(place) && /^($|[.[])/.test(path.slice(place.length));
