import { isObject, type JsonObject, jsonIn, writtenText } from "@assay/protocol";
import { asObject, brief } from "../../../answers/loose-json.ts";
import { passiveCheck } from "../../../define/check.ts";
import { breach, broken, type Finding, holds } from "../../../define/finding.ts";
import { rpcEnvelopes } from "../../../observations/rpc-envelopes.ts";
import { sentMessage } from "../../../observations/sent-message.ts";
import { taskStream } from "../../../observations/task-stream.ts";
import { everyOperation } from "../../../observations/unknown-task.ts";
import { bodyOf, isBeforeTheBinding, isEventStream, mediaTypeOf, objectIn, responseOf, textOf } from "../bodies.ts";
import { callOf, errorsIn, responseObject, responsesIn } from "./request.ts";

export const takesPosts = passiveCheck("JSONRPC-001", {
  judge(call) {
    const response = responseOf(call);
    if (!callOf(call) || !call.fair || !response || isBeforeTheBinding(response.status)) return undefined;
    // JSONRPC-016 judges the form of a stream; an error has the usual form.
    if (call.streamed && response.status < 400) return undefined;
    // Agents of 0.1 may serve streams below the interface's URL; V01-STREAM-010 judges that.
    if (call.streamed && call.on.dialect === "0.1" && (response.status === 404 || response.status === 405))
      return undefined;
    if (isEventStream(call) || responseObject(call)) return holds();
    const body = bodyOf(call);
    if (body && ("result" in body || "error" in body)) return holds();
    return broken("the interface's URL does not return a JSON-RPC response to a JSON-RPC request", {
      saw: `HTTP ${response.status} ${brief(textOf(response.body))}`,
      want: "a JSON object with jsonrpc, id, and result or error",
      ...(isAnsweredElsewhere(response.status) && {
        remedy:
          "Handle every request to this URL in the JSON-RPC handler. Catch its exceptions and return a JSON-RPC error (-32700, -32600, -32601, -32602 or -32603) instead of the error page of the web framework.",
      }),
    });
  },
});

/** The URL is right, but something in front of the handler responds. */
const isAnsweredElsewhere = (status: number): boolean => status >= 400 && status !== 404 && status !== 405;

export const labelledJson = passiveCheck("JSONRPC-002", {
  judge(call) {
    const response = responseOf(call);
    if (!response || isEventStream(call) || !responseObject(call)) return undefined;
    const type = mediaTypeOf(call);
    if (type === "application/json") return holds();
    // JSONRPC-016 judges a streaming call that returns another media type.
    if (call.streamed && responseObject(call)?.["result"] !== undefined) return undefined;
    return broken(`a JSON-RPC response has ${type ? `the Content-Type "${type}"` : "no Content-Type"}`, {
      saw: `Content-Type: ${type || "(none)"}`,
      want: "Content-Type: application/json",
    });
  },
});

export const oneOfResultAndError = passiveCheck("JSONRPC-003", {
  shownBy: [sentMessage, everyOperation, rpcEnvelopes],
  judge(call) {
    const json = responseObject(call);
    if (!json) return undefined;
    const at = call;
    if (json["jsonrpc"] !== "2.0") {
      const found = "jsonrpc" in json ? `jsonrpc ${brief(json["jsonrpc"], 20)}` : "no jsonrpc member";
      return broken(`a response has ${found} instead of "2.0"`, { saw: brief(json), want: '"jsonrpc": "2.0"', at });
    }
    const present = ["result", "error"].filter((member) => member in json);
    if (present.length === 1) return holds();
    // Servers that omit null confirm a deletion this way.
    const isDeletion = call.operation === "DeleteTaskPushNotificationConfig" && present.length === 0;
    const message = `a response has ${present.length ? "both result and error" : "neither result nor error"}`;
    return breach(isDeletion ? "empty-deletion-response" : "broken", message, {
      saw: brief(json),
      want: "exactly one of result and error",
      at,
    });
  },
});

export const repeatsId = passiveCheck("JSONRPC-004", {
  shownBy: [rpcEnvelopes],
  judge(call) {
    const request = callOf(call);
    const json = responseObject(call);
    const response = responseOf(call);
    if (!request || !json || !response || response.status === 401 || response.status === 403) return undefined;
    if (json["id"] === request.id) return holds();
    const id = json["id"] ?? null;
    const code = asObject(json["error"])?.["code"];
    // An agent that could not read the request does not know its id (AMB-32). Neither does a gateway (AMB-33), which
    // has a code outside the JSON-RPC range.
    if (id === null && (code === -32700 || code === -32600 || isForeign(code))) return undefined;
    const details = { saw: `id ${written(json["id"])}`, want: `id ${written(request.id)}` };
    if (typeof request.id === "number" && !Number.isInteger(request.id))
      return breach("fractional-id-altered", "a response does not repeat a fractional id", details);
    if (id === null) {
      const message = "a response to a well-formed request does not repeat its id";
      return breach(code === undefined ? "broken" : "error-without-id", message, details);
    }
    if (writtenText(id) === writtenText(request.id))
      return broken("a response repeats the id of its request with another type", details);
    return broken("a response has a different id than its request", details);
  },
});

/** Keeps the quotes, because a string of digits would look like a number. */
const written = (id: unknown): string => brief(typeof id === "string" ? JSON.stringify(id) : id, 60);

const isForeign = (code: unknown): boolean => typeof code === "number" && (code > -32000 || code < -32768);

export const errorsHaveCodeAndMessage = passiveCheck("JSONRPC-011", {
  shownBy: [everyOperation, rpcEnvelopes],
  judge(call) {
    const errors = errorsIn(call);
    return errors.map((error): Finding => {
      const { code, message } = error;
      const details = { saw: brief(error), want: "an integer code and a string message" };
      if (!Number.isInteger(code)) return broken(`error.code is ${typeName(code)} instead of an integer`, details);
      if (typeof message !== "string")
        return broken(`error.message is ${typeName(message)} instead of a string`, details);
      return holds();
    });
  },
});

const typeName = (value: unknown): string =>
  value === undefined ? "missing" : value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;

export const sendResultIsWrapped = passiveCheck("JSONRPC-015", {
  shownBy: [sentMessage],
  judge(call) {
    if (callOf(call)?.method !== "SendMessage") return undefined;
    const json = responseObject(call);
    if (!json || json["result"] === undefined) return undefined;
    const result = json["result"];
    if (isObject(result) && (isObject(result["task"]) || isObject(result["message"]))) return holds();
    const bare = isObject(result) && (result["status"] ?? result["parts"]) !== undefined;
    return broken(
      bare
        ? "the result of SendMessage is a bare Task or Message, not wrapped in task or message"
        : "the result of SendMessage has neither task nor message",
      { saw: brief(result), want: '{"task": {…}} or {"message": {…}}' },
    );
  },
});

export const streamsAreEventStreams = passiveCheck("JSONRPC-016", {
  shownBy: [taskStream],
  judge(call) {
    const { response } = call.exchange.http;
    if (call.on.binding !== "JSONRPC" || !call.streamed || !call.fair || !response) return undefined;
    if (isEventStream(call)) {
      // The form of errors is free (AMB-32).
      if (!responsesIn(call).some((json) => "result" in json)) return undefined;
      if (response.status === 200) return holds();
      return broken(`a stream has HTTP status ${response.status}`, {
        saw: `HTTP ${response.status}`,
        want: "HTTP 200",
      });
    }
    const isResult = response.status < 300 && /^\s*[[{]/.test(textOf(response.body)) && !firstObject(call)?.["error"];
    if (!isResult) return undefined;
    return broken("a streaming call does not return an event stream", {
      saw: `Content-Type: ${mediaTypeOf(call) || "(none)"}, ${brief(textOf(response.body), 100)}`,
      want: "HTTP 200 with Content-Type: text/event-stream",
    });
  },
});

/** Returns the first line as JSON, if a body is one object or one object per line. */
function firstObject(call: Parameters<typeof bodyOf>[0]): JsonObject | undefined {
  const body = textOf(call.exchange.http.response?.body ?? new Uint8Array());
  return asObject(jsonIn(body) ?? jsonIn(body.split("\n", 1)[0]!));
}

const streamMembers = ["task", "message", "statusUpdate", "artifactUpdate"];

export const eventsAreResponses = passiveCheck("JSONRPC-017", {
  shownBy: [taskStream],
  judge(call) {
    const request = callOf(call);
    const { sse } = call.exchange.http;
    if (!request || !sse) return undefined;
    return sse.events.flatMap((event): Finding[] => {
      const json = objectIn(event);
      const details = { saw: brief(event.data), want: "jsonrpc, the request's id, and result with one StreamResponse" };
      // JSONRPC-018 judges two events without a blank line between them, which are not JSON.
      if (!json) return [];
      if ("error" in json && !("result" in json)) return [];
      if (json["jsonrpc"] !== "2.0") return [broken("an event of the stream has no JSON-RPC envelope", details)];
      if (json["id"] !== request.id)
        return [broken("an event of the stream has a different id than the request", details)];
      const result = asObject(json["result"]);
      // Before 1.0, the result is the event itself, which other rules judge.
      if (call.on.dialect !== "1.0" && result) return [holds()];
      const held = streamMembers.filter((member) => isObject(result?.[member]));
      if (held.length === 1) return [holds()];
      return [
        broken(`the result of an event contains ${held.length ? "more than one" : "no"} StreamResponse`, details),
      ];
    });
  },
});
