import { type JsonObject, jsonIn, type Violation, validateDialect } from "@assay/protocol";
import { isInternal } from "../../answers/expect-error.ts";
import { asList, asObject, asObjects, asText, brief } from "../../answers/loose-json.ts";
import { answerOf, errorOf, isAnswered } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, passiveCheck } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds } from "../../define/finding.ts";
import { conversation } from "../../observations/conversation.ts";
import { type EveryKindOfPart, everyKindOfPart, structuredWish } from "../../observations/older.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import { taskStream } from "../../observations/task-stream.ts";
import type { BreachCode } from "../../rules/breach-codes.ts";
import { artifactsIn, saidEvents, saidTask, stateIn } from "./said.ts";

const states = ["submitted", "working", "input-required", "completed", "canceled", "failed", "unknown"];

/** Places that the rules about parts and states own. */
const inParts = /\.parts(\[|$)/;
const atState = /\.status\.state$/;

/** Shapes that pages, the April schema and servers of that version have, and that readers accept (dialects.md §13). */
const seen: readonly {
  readonly at: RegExp;
  readonly is: (violation: Violation) => boolean;
  readonly code: BreachCode;
  readonly as: string;
}[] = [
  { at: /./, is: ({ code }) => code === "null", code: "null-member", as: "is null instead of omitted" },
  { at: /^\$\.id$/, is: ({ got }) => typeof got === "number", code: "number-as-id", as: "is a number" },
  { at: /^\$\.status\.message\.role$/, is: ({ code }) => code === "missing", code: "role-left-out", as: "is missing" },
  { at: /^\$\.artifact$/, is: ({ got }) => Array.isArray(got), code: "list-for-object", as: "is an array" },
];

/** Judges JSON by a definition of the 0.1 schema. */
function judgeShape(definition: string, json: unknown, what: string, at: Call): Finding[] {
  const own = validateDialect("0.1", definition, json).filter(({ path }) => !inParts.test(path) && !atState.test(path));
  if (own.length === 0) return [holds()];
  return own.map((violation) => {
    const { path, demand } = violation;
    const details = { saw: brief(json, 240), want: `the ${definition} of 0.1`, at };
    const place = path.replace(/^\$\./, "");
    const known = seen.find((each) => each.at.test(path) && each.is(violation));
    return known
      ? breach(known.code, `${place} of ${what} ${known.as}`, details)
      : broken(`${place} of ${what} ${demand.replace(/^expected/, "is not")}`, details);
  });
}

/** A result without id and status is not a task; another rule judges the result of a send. */
const isTask = (json: unknown): boolean => asObject(json)?.["status"] !== undefined;

export const tasksFit = passiveCheck("V01-DATA-001", {
  shownBy: [sentMessage, conversation],
  judge(call) {
    const said = saidTask(call);
    if (!said || (said.sent.method === "tasks/send" && !isTask(said.result))) return undefined;
    return judgeShape("Task", said.result, "a task", call);
  },
});

export const eventsFit = passiveCheck("V01-STREAM-004", {
  shownBy: [taskStream],
  judge(call) {
    const events = saidEvents(call);
    if (events.length === 0) return undefined;
    return events.flatMap((event) => {
      if ("artifact" in event) return judgeShape("TaskArtifactUpdateEvent", event, "an artifact event", call);
      if ("status" in event) return judgeShape("TaskStatusUpdateEvent", event, "a status event", call);
      const want = "an event with status, or with artifact";
      return [broken("an event has neither status nor artifact", { saw: brief(event), want })];
    });
  },
});

export const statesAreKnown = passiveCheck("V01-LIFE-001", {
  shownBy: [sentMessage, taskStream],
  judge(call) {
    const said = [saidTask(call)?.result, ...saidEvents(call)].map(stateIn).filter((state) => state !== undefined);
    if (said.length === 0) return undefined;
    const other = said.find((state) => !states.includes(state));
    if (other === undefined) return holds();
    return broken("a task has a state that 0.1 does not define", {
      saw: brief(other, 60),
      want: `one of ${states.join(", ")}`,
    });
  },
});

export const partsSayTheirType = passiveCheck("V01-DATA-002", {
  shownBy: [sentMessage, taskStream, conversation],
  judge(call) {
    const said = saidTask(call)?.result;
    const holders = [
      ...(said === undefined ? [] : holdersIn(asObject(said) ?? {})),
      ...saidEvents(call).flatMap((event) => [...holdersIn(event), ...artifactsIn(event)]),
    ];
    const findings = holders.flatMap((holder) => judgeParts(holder, call));
    return findings.length ? findings : undefined;
  },
});

/** Returns the objects with parts in a task or event: status message, history, artifacts. */
function holdersIn(json: JsonObject): JsonObject[] {
  const message = asObject(asObject(json["status"])?.["message"]);
  return [...(message ? [message] : []), ...asObjects(json["history"]), ...asObjects(json["artifacts"])];
}

function judgeParts(holder: JsonObject, at: Call): Finding[] {
  const { parts } = holder;
  // The rules about the whole object judge a missing list.
  if (!Array.isArray(parts)) return [];
  if (parts.length === 0)
    return [broken("a message or artifact has no parts", { saw: brief(holder), want: "at least one part", at })];
  return asList(parts).map((part) => judgePart(asObject(part), part, at));
}

function judgePart(part: JsonObject | undefined, json: unknown, at: Call): Finding {
  const details = { saw: brief(json), want: "type: text with text, file with file, or data with data", at };
  if (!part) return broken("a part is not an object", details);
  const { type, kind } = part;
  if (type === undefined && kind !== undefined)
    return breach("kind-for-type", "a part has kind, as in 0.2 and later, instead of type", {
      ...details,
      remedy: "Rename the member `kind` of every part to `type`, its name in 0.1.",
    });
  const content = ["text", "file", "data"].find((name) => part[name] !== undefined && part[name] !== null);
  if (type === undefined && content !== undefined) return breach("type-left-out", "a part has no type", details);
  if (type !== "text" && type !== "file" && type !== "data")
    return broken("a part has a type that 0.1 does not define", details);
  if (type === "text" && typeof part["text"] !== "string") return broken("a text part has no text", details);
  if (type === "file" && !asObject(part["file"])) return broken("a file part has no file", details);
  if (type === "data" && Array.isArray(part["data"]))
    return breach("list-for-object", "the data of a part is an array", details);
  if (type === "data" && !asObject(part["data"])) return broken("a data part has no data", details);
  return type === "file" ? judgeFile(asObject(part["file"])!, details) : holds();
}

function judgeFile(file: JsonObject, details: { saw: string; want: string; at: Call }): Finding {
  const has = (name: string): boolean => file[name] !== undefined && file[name] !== null;
  if (has("bytes") && has("uri")) return broken("a file has both bytes and uri", details);
  if (!has("bytes") && has("data"))
    return breach("file-under-data", "the content of a file is in data instead of bytes", details);
  return holds();
}

const kinds: readonly (readonly [id: string, kind: Exclude<keyof EveryKindOfPart, "sessionId">, what: string])[] = [
  ["V01-DATA-003", "bytes", "a file as bytes"],
  ["V01-DATA-004", "uri", "a file by reference"],
  ["V01-DATA-005", "data", "a data part"],
];

/** Checks that a part was accepted, or refused properly, because not every agent reads files. */
function received(call: Call, what: string): Finding {
  if (isAnswered(call)) return holds();
  const details = answerOf(call, "a task, or error.code -32005");
  const code = errorOf(call)?.code;
  if (code === -32005) return holds(`the agent does not accept ${what}`);
  if (isInternal(call)) return crashed(`tasks/send with ${what} returns an internal error`, details);
  if (call.reply.is === "failure") return crashed(`tasks/send with ${what} gets no response`, details);
  if (code === undefined) return broken(`tasks/send with ${what} returns neither a task nor a JSON-RPC error`, details);
  return breach("other-reason", `tasks/send with ${what} returns an error code other than -32005`, details);
}

export const takesParts = kinds.map(([id, kind, what]) =>
  activeCheck(id, {
    uses: { everyKindOfPart },
    judge: ({ everyKindOfPart: sent }) => received(sent[kind], what),
  }),
);

export const answersInForm = activeCheck("V01-DATA-006", {
  uses: { structuredWish },
  judge({ structuredWish: call }) {
    const what = "tasks/send with a schema in the metadata of its part";
    const details = answerOf(call, "the task");
    if (isInternal(call)) return crashed(`${what} returns an internal error`, details);
    if (call.reply.is === "failure") return crashed(`${what} gets no response`, details);
    if (!isAnswered(call)) return broken(`${what} returns an error`, details);
    const claimed = partsOf(call).filter(isJson);
    if (claimed.length === 0) return holds("the agent responds without structured output");
    const other = claimed.find((part) => !fits(contentOf(part)));
    if (!other) return holds();
    return broken("the agent's JSON does not match the schema in the request", {
      saw: brief(other),
      want: "an array of objects with a string member word",
      at: call,
    });
  },
});

/** Returns all parts of a task, in the form of 0.1. */
function partsOf({ said }: Call): readonly JsonObject[] {
  const task = asObject(said.is === "result" ? said.json : undefined);
  const holders = [...asObjects(task?.["artifacts"]), asObject(asObject(task?.["status"])?.["message"]) ?? {}];
  return holders.flatMap(({ parts }) => asObjects(parts));
}

/** Recognises parts that claim to be JSON. Other data need not match, because the schema is only a wish. */
const isJson = (part: JsonObject): boolean =>
  asText(asObject(part["metadata"])?.["mimeType"]) === "application/json" && part["type"] !== "file";

function contentOf(part: JsonObject): unknown {
  return part["type"] === "text" ? jsonIn(asText(part["text"])) : part["data"];
}

/** Checks by `wishedSchema`. Data parts contain only objects, so an array is wrapped in one. */
function fits(content: unknown): boolean {
  const list = Array.isArray(content) ? content : Object.values(asObject(content) ?? {}).find(Array.isArray);
  if (!list) return false;
  return asList(list).every((entry) => {
    const word = asObject(entry)?.["word"];
    return asObject(entry) !== undefined && (word === undefined || typeof word === "string");
  });
}
