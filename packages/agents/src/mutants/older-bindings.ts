import { isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import type { WireRequest } from "@assay/wire/server";
import { type Divergence, spec01, spec02, spec03 } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { callWith } from "../mutation/grpc.ts";
import { changeAnswers, changeRequests } from "../mutation/http.ts";
import { answerOf, eachMember, eachObject, events, without } from "../mutation/json.ts";

// HTTP+JSON and gRPC of 0.3, where 1.0 has another rule.

type Codec = NonNullable<Layers["codec"]>;

const isRest = ({ path }: Pick<WireRequest, "path">): boolean => path.includes("/v1/");

const overRest =
  (change: (json: JsonValue) => JsonValue): Codec =>
  (json, { binding, is }) =>
    binding === "HTTP+JSON" && is !== "error" ? change(json) : json;

/** Uses names of the JSON schema instead of the proto, enough to tell the two apart. */
const ofTheSchema = (json: JsonValue): JsonValue =>
  eachMember(
    eachObject(json, (object) => ("messageId" in object ? { kind: "message", ...object } : object)),
    "state",
    (state) => String(state).replace("TASK_STATE_", "").toLowerCase().replace("_", "-"),
  );

export const olderBindingMutants: readonly Divergence[] = [
  spec03("V03-REST-001.schema", "HTTP+JSON responses write states and messages as JSON-RPC does.", {
    codec: overRest(ofTheSchema),
  }),

  spec03("V03-REST-002.text", "HTTP+JSON responses have the Content-Type text/plain.", {
    http: changeAnswers((answer, request) =>
      isRest(request) ? { ...answer, headers: { ...answer.headers, "Content-Type": "text/plain" } } : answer,
    ),
  }),

  spec03("V03-REST-003.page", "A rejected POST over HTTP+JSON returns an HTML page.", {
    http: changeAnswers((answer, request) =>
      isRest(request) && request.method === "POST" && answer.status >= 400
        ? {
            ...answer,
            headers: { ...answer.headers, "Content-Type": "application/json" },
            body: `<!doctype html><h1>${answer.status}</h1>\n`,
          }
        : answer,
    ),
  }),

  spec03("V03-REST-004.breaks-down", "A historyLength that is not a number gets an internal error.", {
    http: changeAnswers((answer, { query }) =>
      /historyLength=[a-z]/.test(query)
        ? { ...answer, status: 500, body: JSON.stringify({ message: "unknown exception" }) }
        : answer,
    ),
  }),

  spec03("V03-REST-005.snake-case", "The agent reads the query parameter historyLength only as history_length.", {
    http: changeRequests(({ query }) => ({ query: query.replace("historyLength=", "length=") })),
  }),

  // @a2a-js/sdk 0.3.14 (docs/findings).
  spec03("REST-034.breaks-down", "Rejecting a stream over HTTP+JSON causes an internal error.", {
    http: changeAnswers((answer, { path }) =>
      path.endsWith("/v1/message:stream") && answer.status >= 400
        ? { ...answer, status: 500, body: JSON.stringify({ code: -32603, message: "Bug: a body must be provided." }) }
        : answer,
    ),
  }),

  spec03("V03-GRPC-001.named", "The id of a task over gRPC is its resource name.", {
    codec: (json, { binding, is }) =>
      binding === "GRPC" && is === "answer" && isObject(json) && isObject(json["task"])
        ? { ...json, task: named(json["task"] as JsonObject) }
        : json,
  }),

  spec03("V03-GRPC-002.empty-card", "GetAgentCard over gRPC returns an empty card.", {
    grpc: (call) =>
      call.path.endsWith("/GetAgentCard") ? callWith(call, { send: () => call.send(Buffer.alloc(0)) }) : call,
  }),

  spec03("V03-GRPC-002.not-implemented", "GetAgentCard over gRPC is unimplemented.", {
    grpc: (call) =>
      call.path.endsWith("/GetAgentCard")
        ? callWith(call, {
            start: () => {},
            send: () => undefined,
            end: () => call.end(12, "not implemented"),
          })
        : call,
  }),
];

const named = (task: JsonObject): JsonObject => ({ ...task, id: `tasks/${String(task["id"])}` });

// The catalogue of 1.0 has no rows for these. Their ids have its area names after the version.

export const olderMutants = [
  spec03("V03-CARD-001.no-url", "The card has no url.", {
    card: (card) => without(card, "url"),
  }),

  spec03("V03-DATA-001.no-kind", "The task in the response of message/send has no kind.", {
    codec: answerOf("SendMessage", (answer) => without(answer, "kind")),
  }),

  spec03("V03-STREAM-004.never-final", "The last event of a stream has final: false.", {
    codec: events((event) => (event["final"] === true ? { ...event, final: false } : event)),
  }),

  spec02("V02-CARD-001.new-name-only", "The card is served only at /.well-known/agent-card.json.", {
    http: changeAnswers((answer, { path }) =>
      path.endsWith("/.well-known/agent.json")
        ? { status: 404, headers: { "Content-Type": "text/plain" }, body: "Not Found" }
        : answer,
    ),
  }),

  spec01("V01-SEND-001.wrapped", "The method tasks/send wraps the task, as 1.0 does.", {
    codec: answerOf("SendMessage", (task) => ({ task })),
  }),

  spec01("V01-STREAM-001.never-final", "The last event of a stream has final: false.", {
    codec: events((event) => (event["final"] === true ? { ...event, final: false } : event)),
  }),
];
