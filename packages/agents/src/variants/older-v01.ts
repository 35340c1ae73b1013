import { A2AError, isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import { type Divergence, spec01 } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { labelledJson, servedBelow } from "../mutants/older-v01.ts";
import { onFirstCall } from "../mutation/first-call.ts";
import { changeAnswers } from "../mutation/http.ts";
import { answerOf, eachMember, eachObject, errors, events, without } from "../mutation/json.ts";
import { intercept, together } from "../mutation/operations.ts";
import { RecentMap } from "../mutation/recent.ts";
import { postedText, sendRpcError } from "../mutation/requests.ts";

/**
 * The behaviour of the two servers that came with 0.1, and of its documentation (docs/spec/dialects.md §5,
 * §13).
 */

type Codec = NonNullable<Layers["codec"]>;

const inTurn =
  (...codecs: readonly Codec[]): Codec =>
  (json, written) =>
    codecs.reduce((changed, codec) => codec(changed, written), json);

/** Wraps every error except parse errors in another one without an id. */
const wrapped: Codec = errors("JSONRPC", (error) => {
  const { code } = error["error"] as JsonObject;
  if (code === -32700) return error;
  return { jsonrpc: "2.0", id: null, error: { code: -32603, message: "An unknown error occurred.", data: error } };
});

const nullMessages: Codec = (json) =>
  eachMember(json, "status", (status) => (isObject(status) ? { message: null, ...(status as JsonObject) } : status));

const noSession: Codec = (json, { is }) =>
  is === "answer" && isObject(json) ? without(json as JsonObject, "sessionId") : json;

const noHistory: Codec = (json, { is }) =>
  is === "answer" && isObject(json) ? without(json as JsonObject, "history") : json;

/** Removes the zone, as a server does that writes local time. Here local time equals UTC. */
const zoneless: Codec = (json) => eachMember(json, "timestamp", (time) => String(time).replace(/Z$/, ""));

const numericIds: Codec = inTurn(
  ...(["SendMessage", "CancelTask"] as const).map((operation) => answerOf(operation, (task) => ({ ...task, id: 1 }))),
  events((event) => ({ ...event, id: 1 })),
);

/** Makes each chunk contain all earlier ones and replace them (`append: false`). */
function accumulating(): Codec {
  const known = new RecentMap<JsonObject[]>();
  return events((event) => {
    const artifact = event["artifact"];
    if (!isObject(artifact)) return event;
    const { append, parts, ...rest } = artifact as JsonObject;
    const key = `${event["id"]} ${rest["index"] ?? 0}`;
    const all = [...(append === true ? (known.get(key) ?? []) : []), ...(parts as JsonObject[])];
    known.set(key, all);
    return { ...event, artifact: { ...rest, parts: all, append: false }, final: false };
  });
}

/** Removes methods from an agent. */
const without01 =
  (...methods: readonly string[]) =>
  (serve: Handler): Handler =>
  async (request, reply) => {
    const text = await postedText(request);
    const method = methods.find((each) => text.includes(`"${each}"`));
    if (method === undefined) return serve(request, reply);
    const inner = {
      jsonrpc: "2.0",
      id: (JSON.parse(text) as JsonObject)["id"],
      error: { code: -32601, message: method },
    };
    const error = {
      jsonrpc: "2.0",
      id: null,
      error: { code: -32603, message: "An unknown error occurred.", data: inner },
    };
    reply.send(200, { "Content-Type": "application/json" }, JSON.stringify(error));
  };

const tags = ["send", "get", "cancel", "pushNotification/set", "pushNotification/get", "resubscribe", "sendSubscribe"];
const unknownTag = `Input tag found using 'method' does not match any of the expected tags: ${tags
  .map((tag) => `'tasks/${tag}'`)
  .join(", ")}`;

/** Returns one error with HTTP 400 and no id for unreadable requests and for unknown methods. */
const validates = changeAnswers((answer) => {
  const json = parsed(String(answer.body));
  const code = isObject(json?.["error"]) ? json["error"]["code"] : undefined;
  if (code === -32700) return refused({ code, message: "Invalid JSON payload" });
  if (code !== -32600 && code !== -32601 && code !== -32602) return answer;
  const what =
    code === -32602 ? { type: "missing", msg: "Field required" } : { type: "union_tag_invalid", msg: unknownTag };
  return refused({ code: -32600, message: "Request payload validation error", data: [what] });

  function refused(error: JsonObject): typeof answer {
    return { ...answer, status: 400, body: JSON.stringify({ jsonrpc: "2.0", error }) };
  }
});

function parsed(text: string): JsonObject | undefined {
  try {
    const json = JSON.parse(text) as JsonValue;
    return isObject(json) ? (json as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

export const v01Variants: readonly Divergence[] = [
  spec01("wrapped-errors-01", "Wraps every error in an internal error.", { codec: wrapped }),
  spec01("null-messages-01", "A status without a message has null there.", { codec: nullMessages }),
  spec01("no-session-01", "Does not return the sessionId.", { codec: noSession }),
  spec01("no-history-01", "Never returns history.", { codec: noHistory }),
  spec01("zoneless-01", "Timestamps have no time zone.", { codec: zoneless }),
  spec01("numeric-ids-01", "The id of a task is 1, as in examples of the time.", { codec: numericIds }),
  spec01("listed-artifacts-01", "The artifact of an event is a list of one.", {
    codec: events((event) => ("artifact" in event ? { ...event, artifact: [event["artifact"]!] } : event)),
  }),
  spec01(
    "accumulates-01",
    "Each chunk repeats and replaces earlier ones, and artifact events have final: false.",
    () => ({ codec: accumulating() }),
  ),
  spec01("bare-parts-01", "Parts have no type, as the first schema allowed.", {
    codec: (json, { is }) =>
      is === "error" ? json : eachObject(json, (object) => ("type" in object ? without(object, "type") : object)),
  }),
  spec01("subscribe-path-01", "Streams are available only at /subscribe.", {
    http: servedBelow("tasks/sendSubscribe", () => [404, { "Content-Type": "text/plain" }, "Not Found"]),
  }),
  spec01("structured-01", "Results also carry JSON and declare it.", {
    codec: labelledJson('[{"word":"OK"}]'),
  }),
  spec01("stumbles-01", "The first tasks/cancel returns an internal error.", () => ({
    http: onFirstCall("tasks/cancel", (id, reply) =>
      sendRpcError(reply, id, { code: -32603, message: "Internal error" }),
    ),
  })),
  spec01("full-card-01", "The card has every member that a 0.1 card can have.", {
    card: (card) => ({
      ...card,
      documentationUrl: "https://example.com/manual",
      defaultInputModes: ["text"],
      defaultOutputModes: ["text", "file"],
      authentication: { schemes: [], credentials: "" },
    }),
  }),
  spec01(
    "js-server-01",
    "Behaves like the JavaScript server of 0.1: nested errors, nulls, no history, no resubscribing.",
    {
      codec: inTurn(wrapped, nullMessages, noSession, noHistory, accumulating()),
      http: without01("tasks/resubscribe", "tasks/pushNotification/set", "tasks/pushNotification/get"),
      operations: intercept(["CancelTask"], async ({ request, proceed, ask }) => {
        const task = await ask("GetTask", { id: request.id });
        return /COMPLETED|FAILED|CANCELED/.test(task.status.state) ? { answer: task } : proceed();
      }),
    },
    { push: false },
  ),
  spec01(
    "python-server-01",
    "Behaves like the Python server of 0.1: one error for all unreadable requests, timestamps without a zone, no canceling.",
    {
      codec: zoneless,
      http: validates,
      operations: together(
        intercept(["CancelTask"], async ({ request, ask }) => {
          await ask("GetTask", { id: request.id });
          throw new A2AError("TaskNotCancelable", "Task cannot be canceled");
        }),
        intercept(["SubscribeToTask"], () => {
          throw new A2AError("UnsupportedOperation", "This operation is not supported");
        }),
      ),
    },
    { push: false },
  ),
];
