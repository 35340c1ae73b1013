import { isObject, type JsonObject, type JsonValue, type Task } from "@assay/protocol";
import type { Perform } from "../definition/call.ts";
import { spec } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { changeAnswers, changeJsonText } from "../mutation/http.ts";
import { eachMember, eachObject, inJson, without } from "../mutation/json.ts";
import { together } from "../mutation/operations.ts";
import { RecentSet } from "../mutation/recent.ts";
import { changeMessage } from "../mutation/requests.ts";
import { listing } from "./listing.ts";

/** Agents with equivalent JSON in another form, with additional members, or without optional ones. */

const sorted = (json: JsonValue): JsonValue =>
  eachObject(json, (object) => Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1))));

/** Adds a space after every colon and comma outside strings, as Python prints JSON. */
const spaced = (text: string): string =>
  text.replaceAll(/("(?:[^"\\]|\\.)*")|([:,])/g, (_all, string: string, mark: string) => string ?? `${mark} `);

const isTimed = (object: JsonObject): boolean => "timestamp" in object && "state" in object;

/** Returns true for messages, artifacts and tasks, which may have metadata. Their ids identify them. */
const mayCarryMetadata = (object: JsonObject): boolean =>
  "messageId" in object || "artifactId" in object || ("id" in object && "status" in object);

/** Maps with free keys: an additional member would be another scheme or scope. */
const maps = ["securitySchemes", "schemes", "scopes"];

/** Accepts messages without a role, and returns them without a role in the history. */
function takesRoleless(): Layers {
  const roleless = new RecentSet();
  const take = changeMessage((message) => {
    if (message["role"] !== undefined || message["messageId"] === undefined) return message;
    roleless.add(String(message["messageId"]));
    return { ...message, role: "ROLE_USER" };
  });
  const show = changeJsonText((text) =>
    JSON.stringify(
      eachObject(JSON.parse(text) as JsonValue, (object) =>
        roleless.has(String(object["messageId"])) ? without(object, "role") : object,
      ),
    ),
  );
  return { http: (serve) => take(show(serve)) };
}

const secondOf = ({ status }: Task): number => Math.floor(Date.parse(status.timestamp ?? "") / 1_000);

/** Sorts by second, newest first, and within a second by id. */
const bySecond = (one: Task, other: Task): number =>
  secondOf(other) - secondOf(one) || (one.id < other.id ? -1 : Number(one.id > other.id));

const wholeSecond = (time: JsonValue): JsonValue => (typeof time === "string" ? time.replace(/\.\d+Z$/, "Z") : time);

const tellWholeSeconds =
  (perform: Perform): Perform =>
  async (...asked) => {
    const told = <T>(value: T): T => eachMember(value as JsonValue, "timestamp", wholeSecond) as T;
    const { answer, events } = await perform(...asked);
    return events ? { events: toldEach(events, told) } : { answer: told(answer) };
  };

async function* toldEach<T>(events: AsyncIterable<T>, told: (event: T) => T): AsyncGenerator<T, void, undefined> {
  for await (const event of events) yield told(event);
}

export const jsonVariants = [
  // A1: Python's protobuf printer sorts members and adds spaces.
  spec("sorted-members", "Members are in alphabetical order, with a space after every colon and comma.", {
    http: changeJsonText((text) => spaced(JSON.stringify(sorted(JSON.parse(text) as JsonValue)))),
  }),

  // A3, for complete responses: some frameworks pretty-print JSON.
  spec("pretty-json", "Responses are JSON over many lines. Events stay on one line.", {
    http: changeAnswers((answer) =>
      answer.body.length === 0
        ? answer
        : { ...answer, body: `${JSON.stringify(JSON.parse(String(answer.body)), null, 2)}\n` },
    ),
  }),

  // §5.7 and AMB-38: clients ignore unknown members.
  spec("unknown-members", "Objects in responses and events have members that are in no specification.", {
    codec: inJson((json, { is }) =>
      is === "error"
        ? json
        : maps.reduce(
            (done, name) => eachMember(done, name, (map) => without(without(map as JsonObject, "x-vendor"), "x_trace")),
            eachObject(json, (object) => ({ ...object, "x-vendor": { build: 7 }, x_trace: "9f86d081" })),
          ),
    ),
  }),

  // A33: JS 1.3.0 on failed tasks, Python 0.3.26 on messages.
  spec("empty-metadata", "Messages, artifacts and tasks carry an empty metadata object.", {
    codec: (json, { is }) =>
      is === "error"
        ? json
        : eachObject(json, (object) => (mayCarryMetadata(object) ? { metadata: {}, ...object } : object)),
  }),

  // AMB-39, A31: a timestamp may have up to nine fractional digits.
  spec("microseconds", "Timestamps have six decimal places.", {
    codec: (json) =>
      eachMember(json, "timestamp", (time): JsonValue => (typeof time === "string" ? time.replace("Z", "000Z") : time)),
  }),

  // AMB-39: a timestamp may have whole seconds. Tasks of the same second may then be in any order.
  spec("whole-seconds", "Timestamps have whole seconds, and tasks of the same second are listed by id.", {
    operations: together(listing({ arrange: (tasks) => tasks.toSorted(bySecond) }), tellWholeSeconds),
  }),

  // AMB-39, A45: the timestamp of a status is optional.
  spec("no-timestamps", "No status has a timestamp.", {
    codec: (json) => eachObject(json, (object) => (isTimed(object) ? without(object, "timestamp") : object)),
  }),

  // AMB-28: a direct message may have no context, like one in the guide.
  spec("context-free-messages", "Direct messages have no contextId.", {
    codec: (json) => {
      // A direct message is the whole response.
      const { message } = json as JsonObject;
      return isObject(message) ? { message: without(message as JsonObject, "contextId") } : json;
    },
  }),

  // §5.7: rejecting a message without a required member is only a SHOULD. @a2a-js/sdk 1.3.0 accepts one and keeps it
  // unchanged.
  spec("takes-roleless", "Accepts messages without a role and keeps them unchanged.", takesRoleless),
];
