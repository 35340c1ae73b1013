import { type JsonObject, parseJson } from "@assay/protocol";
import { isInternal } from "../../answers/expect-error.ts";
import {
  asList,
  asObject,
  asObjects,
  asText,
  brief,
  describeReply,
  errorOf,
  isAnswered,
} from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds } from "../../define/finding.ts";
import { type EveryKindOfPart, everyKindOfPart, structuredWish } from "../../observations/parts-v0.1.ts";

const kinds: readonly (readonly [id: string, kind: Exclude<keyof EveryKindOfPart, "sessionId">, what: string])[] = [
  ["V01-DATA-003", "bytes", "a file with its bytes"],
  ["V01-DATA-004", "uri", "a file by reference"],
  ["V01-DATA-005", "data", "a data part"],
];

/** Whether a part was taken, or refused as one may: not every agent reads files. */
function received(call: Call, what: string): Finding {
  if (isAnswered(call)) return holds();
  const details = { saw: describeReply(call), want: "a task, or error.code -32005", at: call };
  const code = errorOf(call)?.code;
  if (code === -32005) return holds(`the agent does not take ${what}`);
  if (isInternal(call)) return crashed(`a message with ${what} is answered with an internal error`, details);
  if (call.reply.is === "failure") return crashed(`a message with ${what} gets no answer`, details);
  if (code === undefined)
    return broken(`a message with ${what} is answered with no task and no JSON-RPC error`, details);
  return breach("other-reason", `a message with ${what} is refused with another code than -32005`, details);
}

const takesParts = kinds.map(([id, kind, what]) =>
  activeCheck({
    id,
    title: `${what} is taken, or refused as a media type that is not supported`,
    remedy: "Read the part, or refuse the message with -32005 (ContentTypeNotSupportedError).",
    uses: { everyKindOfPart },
    judge: ({ everyKindOfPart: sent }) => received(sent[kind], what),
  }),
);

const answersInForm = activeCheck({
  id: "V01-DATA-006",
  title: "a message that asks for JSON by a schema is taken, and what is called JSON then fits the schema",
  remedy:
    "Take metadata of a part that you do not know for a hint; write what you label application/json by the schema.",
  uses: { structuredWish },
  judge({ structuredWish: call }) {
    const what = "a message with a schema in the metadata of its part";
    const details = { saw: describeReply(call), want: "the task", at: call };
    if (isInternal(call)) return crashed(`${what} is answered with an internal error`, details);
    if (call.reply.is === "failure") return crashed(`${what} gets no answer`, details);
    if (!isAnswered(call)) return broken(`${what} is refused`, details);
    const claimed = partsOf(call).filter(isJson);
    if (claimed.length === 0) return holds("the agent answers without structured output");
    const other = claimed.find((part) => !fits(contentOf(part)));
    if (!other) return holds();
    return broken("what the agent calls JSON is not what the schema in the request asks for", {
      saw: brief(other),
      want: "a list of objects whose member word is a string",
      at: call,
    });
  },
});

/** Everything that a task says, in the words of 0.1. */
function partsOf({ said }: Call): readonly JsonObject[] {
  const task = asObject(said.is === "result" ? said.json : undefined);
  const holders = [...asObjects(task?.["artifacts"]), asObject(asObject(task?.["status"])?.["message"]) ?? {}];
  return holders.flatMap(({ parts }) => asObjects(parts));
}

/** What says itself that it is JSON. Data of its own choice is none: the schema was no command. */
const isJson = (part: JsonObject): boolean =>
  asText(asObject(part["metadata"])?.["mimeType"]) === "application/json" && part["type"] !== "file";

function contentOf(part: JsonObject): unknown {
  if (part["type"] !== "text") return part["data"];
  try {
    return parseJson(asText(part["text"]) ?? "");
  } catch {
    return undefined;
  }
}

/** By `wishedSchema`. Data parts of the schema hold objects alone, so there a list has one around it. */
function fits(content: unknown): boolean {
  const list = Array.isArray(content) ? content : Object.values(asObject(content) ?? {}).find(Array.isArray);
  if (!list) return false;
  return asList(list).every((entry) => {
    const word = asObject(entry)?.["word"];
    return asObject(entry) !== undefined && (word === undefined || typeof word === "string");
  });
}

export const partChecks: readonly Check[] = [...takesParts, answersInForm];
