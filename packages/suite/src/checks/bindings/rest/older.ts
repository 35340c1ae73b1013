import { isObject, type JsonValue } from "@assay/protocol";
import { brief } from "../../../answers/loose-json.ts";
import { taskIn } from "../../../answers/reading.ts";
import { isPage } from "../../../answers/served.ts";
import type { Call } from "../../../define/call.ts";
import { activeCheck, passiveCheck } from "../../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable } from "../../../define/finding.ts";
import type { HttpChange, Target } from "../../../define/target.ts";
import { conversation } from "../../../observations/conversation.ts";
import { firstContact } from "../../../observations/first-contact.ts";
import { sentMessage } from "../../../observations/sent-message.ts";
import { taskStream } from "../../../observations/task-stream.ts";
import { everyOperation } from "../../../observations/unknown-task.ts";
import { snakeCased } from "../../push/snake-cased.ts";
import { isBeforeTheBinding, isEventStream, mediaTypeOf, responseOf, textOf } from "../bodies.ts";

/** A regular call of an operation in its version, so the response comes from the binding. */
const isCall = (call: Call): boolean => call.on.binding === "HTTP+JSON" && call.params !== undefined && call.fair;

/** Every agent has these; for other missing operations, the web server may respond. */
const always: readonly string[] = ["SendMessage", "GetTask", "CancelTask"];

const isFromTheAgent = (call: Call, status: number): boolean =>
  !isBeforeTheBinding(status) &&
  ((status !== 404 && status !== 405) || (call.operation !== undefined && always.includes(call.operation)));

export const label = passiveCheck("V03-REST-002", {
  shownBy: [everyOperation],
  judge(call) {
    const response = responseOf(call);
    if (!isCall(call) || !response || isEventStream(call) || response.body.length === 0) return undefined;
    if (call.streamed || (response.status >= 400 && !isFromTheAgent(call, response.status))) return undefined;
    const type = mediaTypeOf(call);
    if (type === "application/json") return holds();
    const details = { saw: `Content-Type: ${type || "(none)"}`, want: "application/json" };
    if (/[/+]json$/.test(type))
      return breach("other-json-label", "the Content-Type of responses is not application/json", details);
    return breach(isPage(call) ? "page-not-found" : "broken", "the Content-Type of a response is not JSON", details);
  },
});

export const errorForm = passiveCheck("V03-REST-003", {
  shownBy: [everyOperation],
  judge(call) {
    const response = responseOf(call);
    if (!isCall(call) || !response || response.status < 400 || !isFromTheAgent(call, response.status)) return undefined;
    if (call.said.is === "error") return holds();
    const shown = textOf(response.body);
    const code = isPage(call) ? "page-not-found" : "broken";
    return breach(code, `an error has ${shown.trim() ? "a body that is not JSON" : "no body"}`, {
      saw: `HTTP ${response.status} ${brief(shown)}`,
      want: 'a JSON object that describes the error, such as {"code": …, "message": …}',
    });
  },
});

/** Operations whose responses exist in both data models, with different names. */
const spelled = ["SendMessage", "SendStreamingMessage", "SubscribeToTask", "GetTask", "CancelTask"];

/**
 * HTTP+JSON of 0.3 has two data models. The text can mean the objects of the JSON schema; the proto defines ProtoJSON,
 * which nearly all servers follow (docs/spec/dialects.md §2.3).
 */
export const spelling = passiveCheck("V03-REST-001", {
  shownBy: [sentMessage, taskStream],
  judge(call) {
    if (call.on.binding !== "HTTP+JSON" || call.operation === undefined || !spelled.includes(call.operation))
      return undefined;
    const written = documentsIn(call);
    if (written.length === 0) return undefined;
    return written.map((json): Finding => {
      const details = { saw: brief(json), want: "the names and values of a2a.proto, in camelCase" };
      const snake = snakeCased(json);
      if (snake !== undefined) return broken(`responses have members in snake_case, such as ${snake}`, details);
      return isOfTheSchema(json)
        ? breach("json-schema-spelling", "responses have the form of the JSON schema, not of ProtoJSON", details)
        : holds();
    });
  },
});

function documentsIn({ said }: Call): JsonValue[] {
  if (said.is === "result") return [said.json];
  if (said.is !== "stream") return [];
  return said.events.flatMap((frame) => (frame.is === "result" ? [frame.json] : []));
}

/** Members whose content belongs to users and agents. */
const free = new Set(["metadata", "data"]);

/** Recognises names and values that only the schema has. */
function isOfTheSchema(json: JsonValue): boolean {
  if (Array.isArray(json)) return json.some(isOfTheSchema);
  if (!isObject(json)) return false;
  return Object.entries(json).some(([name, value]) => {
    if (free.has(name)) return false;
    if (name === "kind") return typeof value === "string";
    if ((name === "state" || name === "role") && typeof value === "string") return /^[a-z]/.test(value);
    return isOfTheSchema(value as JsonValue);
  });
}

const asking = (target: Target, id: string, query: string): Promise<Call> => {
  const change: HttpChange = (request) => ({ ...request, url: `${request.url.split("?", 1)[0]}?${query}` });
  return target.http("GetTask", { id }, change, { fair: false });
};

const shown = ({ exchange: { http } }: Call): string =>
  `HTTP ${http.response?.status ?? "?"} ${brief(textOf(http.response?.body ?? new Uint8Array()), 120)}`;

export const senseless = activeCheck("V03-REST-004", {
  uses: { firstContact },
  // A server that looks for the task first never reads the rest.
  also: { sentMessage },
  async judge({ sentMessage: seen }, target) {
    const call = await asking(target, seen?.task?.id ?? target.unknownId(), "historyLength=two");
    const status = call.exchange.http.response?.status;
    const details = { saw: shown(call), want: "HTTP 400, or the task", at: call };
    if (call.reply.is === "failure") return crashed("a historyLength that is not a number gets no response", details);
    if (status !== undefined && status >= 500)
      return crashed(`a historyLength that is not a number returns HTTP ${status}`, details);
    return holds();
  },
});

export const camelCase = activeCheck("V03-REST-005", {
  requires: ["scenario:multi-turn"],
  last: true,
  uses: { conversation },
  async judge({ conversation: { last } }, target) {
    const whole = taskIn(await target.call("GetTask", { id: last.id, historyLength: 100 }))?.history.length ?? 0;
    if (whole < 2) return notApplicable("the agent keeps no history that could be limited");
    const call = await asking(target, last.id, "historyLength=1");
    const task = taskIn(call);
    const details = { saw: shown(call), want: "the task with at most one message in its history", at: call };
    if (!task) return broken("GET with historyLength=1 does not return the task", details);
    return task.history.length > 1 ? broken("the agent ignores historyLength in the query", details) : holds();
  },
});
