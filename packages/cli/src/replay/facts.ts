import { isObject, type JsonValue } from "@assay/protocol";
import type { HarEntry } from "@assay/wire";
import { answersIn } from "./answers.ts";

/**
 * The facts of a response to compare, by their place. Of texts, ids and times only the type counts, because agents
 * choose them freely. The length of a list does not count.
 */
type AnswerFacts = ReadonlyMap<string, string>;

/** A place at which two responses differ; a side is undefined if the place is absent there. */
export interface AnswerDifference {
  readonly at: string;
  readonly recorded: string | undefined;
  readonly now: string | undefined;
}

/** Members whose value carries meaning, so that it must be equal. */
const telling = new Set(["state", "role", "kind", "code", "reason", "status", "final", "jsonrpc", "@type"]);
/** Members with free content, of which only the presence is compared. */
const freeForm = new Set(["metadata", "data", "params", "details", "tasks"]);

function factsOf(entry: HarEntry): AnswerFacts {
  const { response } = entry;
  const facts = new Map<string, Set<string>>();
  const note = (at: string, value: string): void => {
    facts.set(at, (facts.get(at) ?? new Set()).add(value));
  };
  const ended = /^[a-z-]+/.exec(response._error ?? "")?.[0];
  if (response.status) note("HTTP status", String(response.status));
  if (ended !== undefined) note("ended", ended);
  const type = response.content.mimeType.split(";", 1)[0]!.trim().toLowerCase();
  if (type && response.content.size > 0) note("content type", type);
  for (const { name, value } of [...response.headers, ...(response._trailers ?? [])])
    if (name.toLowerCase() === "grpc-status") note("grpc-status", value);
  const answers = answersIn(entry);
  if (type && response.content.size > 0 && !answers.length) note("body", "no JSON");
  for (const answer of answers) walk(answer, "", note);
  if (isStream(entry)) note("events", sequenceOf(answers));
  return new Map([...facts].map(([at, values]) => [at, [...values].sort().join(", ")]));
}

/**
 * Returns the differences of two responses, most important first. Compares an exchange that Assay ended only up to its
 * end.
 */
export function differencesBetween(then: HarEntry, now: HarEntry): AnswerDifference[] {
  const [before, after] = [factsOf(then), factsOf(now)];
  const isCutShort = [then, now].some(({ response }) => response._error?.startsWith("aborted"));
  const isCutOff = [then, now].some(isTooLarge);
  const places = [...new Set([...before.keys(), ...after.keys()])];
  const differences = places
    .map((at) => ({ at, recorded: before.get(at), now: after.get(at) }))
    .filter((each) => each.recorded !== each.now)
    .filter(({ at }) => !isCutOff || at === "HTTP status" || at === "content type" || at === "grpc-status")
    .filter(({ at, recorded: was, now: is }) => !isCutShort || (at !== "ended" && at !== "events" && was && is))
    .map((each) => asAWhole(each, before, after));
  const distinct = new Map(differences.map((each) => [each.at, each]));
  return [...distinct.values()].sort((a, b) => weightOf(a) - weightOf(b));
}

/** Reports a missing object as one difference; an error keeps its code. */
function asAWhole(difference: AnswerDifference, before: AnswerFacts, after: AnswerFacts): AnswerDifference {
  const { at, recorded, now } = difference;
  if ((recorded !== undefined && now !== undefined) || isTelling(at)) return difference;
  const other = recorded === undefined ? before : after;
  const steps = at.split(".");
  const missing = steps
    .map((_, index) => steps.slice(0, index + 1).join("."))
    .find(
      (place) =>
        ![...other.keys()].some(
          (known) => known === place || known.startsWith(`${place}.`) || known.startsWith(`${place}[`),
        ),
    );
  if (missing === undefined || missing === at) return difference;
  return { at: missing, recorded: recorded && "present", now: now && "present" };
}

const isTelling = (at: string): boolean => /(^|\.)(state|code|reason)$/.test(at);

const ofTransport = ["HTTP status", "grpc-status", "ended", "content type", "body", "events"];
const weightOf = ({ at, recorded, now }: AnswerDifference): number =>
  ofTransport.includes(at) ? 0 : recorded !== undefined && now !== undefined ? 1 : isTelling(at) ? 2 : 3;

/** Returns true for a long response without readable JSON, because its recording contains only the start. */
const isTooLarge = (entry: HarEntry): boolean =>
  entry.response.content.size > 256 * 1024 && answersIn(entry).length === 0;

function walk(value: JsonValue, at: string, note: (at: string, value: string) => void): void {
  if (Array.isArray(value)) {
    if (value.length === 0) note(`${at}[]`, "none");
    for (const item of value) walk(item, `${at}[]`, note);
    return;
  }
  if (!isObject(value)) {
    note(at || "answer", kindOf(value));
    return;
  }
  for (const [name, member] of Object.entries(value) as [string, JsonValue][]) {
    const place = at ? `${at}.${name}` : name;
    if (freeForm.has(name)) note(place, "present");
    else if (telling.has(name) && (typeof member === "string" || typeof member === "number"))
      note(place, String(member));
    else walk(member, place, note);
  }
}

const kindOf = (value: JsonValue): string => (value === null ? "null" : typeof value);

const isStream = ({ request, response }: HarEntry): boolean =>
  /^text\/event-stream/i.test(response.content.mimeType) ||
  /\/(SendStreamingMessage|SubscribeToTask|TaskSubscription)$/.test(request.url);

/** Returns the events of a stream, with repeated ones merged: "task working, artifact, status completed". */
function sequenceOf(answers: readonly JsonValue[]): string {
  const words = answers.map(wordFor);
  return words.filter((word, index) => word !== words[index - 1]).join(", ");
}

function wordFor(answer: JsonValue): string {
  const inner = isObject(answer) && isObject(answer["result"]) ? answer["result"] : answer;
  if (!isObject(inner)) return "something else";
  if ("error" in inner) return "error";
  const [name = "", only] = Object.entries(inner)[0] ?? [];
  const [kind, event] = typeof inner["kind"] === "string" ? [inner["kind"], inner] : [name, only];
  const state = isObject(event) && isObject(event["status"]) ? event["status"]["state"] : undefined;
  return typeof state === "string" ? `${kind} ${state}` : kind;
}
