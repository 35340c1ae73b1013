import { isObject, jsonIn, writtenText } from "@assay/protocol/json";
import type { ExchangeRecorded } from "../report/events.ts";
import type { AbilityId } from "./abilities.ts";

/** The kind of an answer to a message, named after the ability that a client needs to read it. */
export type AnswerShape =
  | Extract<
      AbilityId,
      | "message"
      | "task"
      | "status-text"
      | "early-task"
      | "chunks"
      | "open-artifact"
      | "input-required"
      | "auth-required"
      | "files"
      | "failed"
      | "rejected"
    >
  /** files and data outside of artifacts: no situation has them, so no profile covers them */
  | "other-files";

export type Fields = Readonly<Record<string, unknown>>;

export type SendOperation = "SendMessage" | "SendStreamingMessage";
/** Everything that a client needs to read one answer. */
export type AnswerNeeds = readonly AnswerShape[];
export type Answers = Readonly<Partial<Record<SendOperation, readonly AnswerNeeds[]>>>;

/** Shapes of answers to an ordinary message. Other shapes need a special one: a question back, a file, a failure. */
const ordinary: readonly AnswerShape[] = ["message", "task", "status-text", "early-task", "chunks", "open-artifact"];

/** Reads the shapes of all answers to messages that a client could have sent, over JSON. */
export function answersIn(exchanges: readonly ExchangeRecorded[]): {
  readonly answers: Answers;
  readonly also: readonly AnswerShape[];
} {
  const seen = exchanges.flatMap(({ operation, working, entry }) => {
    const prompt = working && isSend(operation) && entry.response.status === 200 && ordinaryPrompt(entry.request);
    return typeof prompt === "string" && isSend(operation)
      ? [{ operation, prompt, shapes: readAs(operation, shapesOf(eventsIn(entry.response.content.text))) }]
      : [];
  });
  const streamed = new Set(
    seen.filter(({ operation }) => operation === "SendStreamingMessage").map(({ prompt }) => prompt),
  );
  const needsFor = (wanted: SendOperation): AnswerNeeds[] =>
    seen.flatMap(({ operation, prompt, shapes }) => {
      const needs = shapes.filter((shape) => ordinary.includes(shape));
      if (operation === wanted) return [needs];
      // A stream waits for the end of its task, so a prompt that was not streamed gets the same answer there.
      const isInferred = wanted === "SendStreamingMessage" && streamed.size > 0 && !streamed.has(prompt);
      return isInferred && !needs.includes("early-task") ? [needs] : [];
    });
  /** An agent that asks back at first gives no other answer to a message that begins a conversation. */
  const questionsTo = (wanted: SendOperation): AnswerNeeds[] =>
    seen.some(({ operation, shapes }) => operation === wanted && shapes.includes("input-required"))
      ? [["input-required"]]
      : [];
  const answers = (["SendMessage", "SendStreamingMessage"] as const)
    .map((operation) => {
      const needs = distinct(needsFor(operation).filter(({ length }) => length > 0));
      return [operation, needs.length > 0 ? needs : questionsTo(operation)] as const;
    })
    .filter(([, needs]) => needs.length > 0);
  return {
    answers: Object.fromEntries(answers),
    also: [...new Set(seen.flatMap(({ shapes }) => shapes.filter((shape) => !ordinary.includes(shape))))],
  };
}

/** A stream may end early because Assay hangs up on it, so only a response shows a task that is returned early. */
const readAs = (operation: SendOperation, shapes: readonly AnswerShape[]): readonly AnswerShape[] =>
  operation === "SendMessage" ? shapes : shapes.filter((shape) => shape !== "early-task");

const distinct = (answers: readonly AnswerNeeds[]): AnswerNeeds[] => [
  ...new Map(answers.map((needs) => [needs.toSorted().join(), needs])).values(),
];

const isSend = (operation: string | undefined): operation is SendOperation =>
  operation === "SendMessage" || operation === "SendStreamingMessage";

/** Returns the text of a message from a client that waits and begins a conversation. */
function ordinaryPrompt({ postData }: ExchangeRecorded["entry"]["request"]): string | undefined {
  const body = jsonIn(postData?.text ?? "");
  if (!isObject(body)) return undefined;
  const params = isObject(body["params"]) ? body["params"] : body;
  const { message, configuration } = params;
  const { returnImmediately, blocking } = isObject(configuration) ? configuration : ({} as Fields);
  if (!isObject(message) || message["taskId"] || returnImmediately === true || blocking === false) return undefined;
  return partsOf(message)
    .map(({ text }) => text)
    .join("\n");
}

/** Returns the results in a body: one, or one for each event of a stream. */
function eventsIn(text: string): Fields[] {
  const bodies = text.includes("data:")
    ? text.split(/\r?\n\r?\n/).map((event) => event.replaceAll(/^(?!data:).*$/gm, "").replaceAll(/^data: ?/gm, ""))
    : [text];
  return bodies.flatMap((body) => {
    const json = jsonIn(body);
    if (!isObject(json)) return [];
    const result = "jsonrpc" in json ? json["result"] : json;
    return isObject(result) ? [result] : [];
  });
}

/** Returns the interfaces on which the agent writes one event of a stream over several data lines. */
export const splitEventsIn = (exchanges: readonly ExchangeRecorded[]): readonly string[] => [
  ...new Set(
    exchanges.flatMap(({ operation, interface: on, entry }) =>
      operation === "SendStreamingMessage" && on && /^data:.*(?:\r\n|\r|\n)data:/m.test(entry.response.content.text)
        ? [`${on.dialect} ${on.binding}`]
        : [],
    ),
  ),
];

/** Reads one answer as a whole, in any version: 1.0 wraps the object in its kind. */
function shapesOf(events: readonly Fields[]): AnswerShape[] {
  let state = "";
  let hasStatusText = false;
  let hasArtifactText = false;
  let hasChunks = false;
  const shapes = new Set<AnswerShape>();
  /** by artifact: an event marked its last chunk */
  const closed = new Map<unknown, boolean>();
  for (const event of events) {
    const inner = event["task"] ?? event["message"] ?? event["msg"] ?? event["statusUpdate"] ?? event["artifactUpdate"];
    const given = isObject(inner) ? inner : event;
    const { status, artifacts, artifact, append, lastChunk } = given;
    if (!status && !artifact && hasText(given)) shapes.add("message");
    if (hasFiles(given)) shapes.add("other-files");
    if (isObject(status)) {
      const { message } = status;
      state = writtenText(status["state"] ?? state);
      hasStatusText ||= isObject(message) && hasText(message);
      if (isObject(message) && hasFiles(message)) shapes.add("other-files");
    }
    if (isObject(artifact)) {
      const { artifactId } = artifact;
      closed.set(artifactId, closed.get(artifactId) === true || lastChunk === true);
      hasChunks ||= append === true;
    }
    for (const each of [...(Array.isArray(artifacts) ? artifacts : []), artifact]) {
      if (!isObject(each)) continue;
      hasArtifactText ||= hasText(each);
      if (hasFiles(each)) shapes.add("files");
    }
  }
  const word = state.replace("TASK_STATE_", "").toLowerCase().replaceAll("_", "-");
  if (word === "completed" && hasArtifactText) {
    const isOpen = [...closed.values()].includes(false);
    if (hasChunks) shapes.add("chunks");
    if (isOpen) shapes.add("open-artifact");
    if (!hasChunks && !isOpen) shapes.add("task");
  } else if (word === "completed" && hasStatusText) shapes.add("status-text");
  if (word === "submitted" || word === "working") shapes.add("early-task");
  if (word === "input-required" || word === "auth-required" || word === "failed" || word === "rejected")
    shapes.add(word);
  return [...shapes];
}

function partsOf(holder: Fields): Fields[] {
  const parts = holder["parts"] ?? holder["content"];
  return Array.isArray(parts) ? parts.filter(isObject) : [];
}

const hasText = (holder: Fields): boolean =>
  partsOf(holder).some(({ text }) => typeof text === "string" && text !== "");

/** Files and data. */
const hasFiles = (holder: Fields): boolean => partsOf(holder).some((part) => !("text" in part));
