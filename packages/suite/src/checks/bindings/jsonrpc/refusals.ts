import { isInternal } from "../../../answers/expect-error.ts";
import { brief } from "../../../answers/loose-json.ts";
import { answerOf, describeReply, errorOf } from "../../../answers/reading.ts";
import type { Call } from "../../../define/call.ts";
import { activeCheck } from "../../../define/check.ts";
import {
  breach,
  broken,
  crashed,
  type Finding,
  holds,
  isBreach,
  notApplicable,
  notExamined,
} from "../../../define/finding.ts";
import { firstContact } from "../../../observations/first-contact.ts";
import { invalidInput } from "../../../observations/invalid-input.ts";
import { rpcEnvelopes } from "../../../observations/rpc-envelopes.ts";
import { judgedCalls } from "../../../observations/sent-calls.ts";
import { taskAtRest } from "../../../observations/sent-message.ts";
import { unknownTask } from "../../../observations/unknown-task.ts";
import type { BreachCode } from "../../../rules/breach-codes.ts";
import { expectNamed, isForbidden } from "../../errors/expect.ts";
import { callOf, responseObject, responsesIn } from "./request.ts";

/** Whether a request was refused with a code of JSON-RPC; `also` are others that it may well be refused with, told apart. */
function expectCode(call: Call, code: number, what: string, also: Readonly<Record<number, BreachCode>> = {}): Finding {
  const error = errorOf(call);
  const details = answerOf(call, `error.code ${code}`);
  if (error?.code === code) return holds();
  if (isInternal(call)) return crashed(`${what} is answered with an internal error`, details);
  if (call.reply.is === "failure") return crashed(`${what} gets no answer`, details);
  // The web framework in front of a server may refuse what is no JSON, with a page of its own.
  if (error?.code === undefined && call.exchange.http.response?.status === 400)
    return breach("http-400-alone", `${what} is refused with HTTP 400 and no JSON-RPC error`, details);
  if (error?.code === undefined)
    return broken(
      `${what} is answered with ${error || call.reply.is === "malformed" ? "no JSON-RPC error" : "a result"}`,
      details,
    );
  const isMissing = code !== -32601 && error.code === -32601 && call.operation !== undefined;
  return breach(
    also[error.code] ?? (isMissing ? "operation-not-served" : "broken"),
    `${what} is answered with ${error.code}, expected ${code}`,
    details,
  );
}

const unknownMethod = activeCheck({
  id: "JSONRPC-006",
  uses: { rpcEnvelopes },
  judge({ rpcEnvelopes: { unknownMethod: call, oldMethod, otherCase } }, target) {
    const known = (
      [
        ["message/send", oldMethod],
        ["sendMessage", otherCase],
      ] as const
    ).flatMap(([name, old]) => (!old || errorOf(old)?.code === -32601 ? [] : [name]));
    const isNoteworthy = known.length > 0 && target.on.dialect === "1.0";
    const note = isNoteworthy ? `${known.join(" and ")} is known under version 1.0 as well` : undefined;
    const found = expectCode(call, -32601, "an unknown method", { [-32600]: "invalid-request-code" });
    return found.is === "holds" ? holds(note) : found;
  },
});

const brokenJson = activeCheck({
  id: "JSONRPC-007",
  uses: { rpcEnvelopes },
  judge({ rpcEnvelopes: { cutOff } }) {
    const found = expectCode(cutOff, -32700, "a body that is no JSON");
    if (found.is !== "holds") return found;
    const id = responsesIn(cutOff)[0]?.["id"] ?? null;
    if (id === null) return holds();
    return broken("a parse error has an id", { saw: `id ${JSON.stringify(id)}`, want: "id null", at: cutOff });
  },
});

const noRequest = activeCheck({
  id: "JSONRPC-008",
  uses: { rpcEnvelopes },
  judge({ rpcEnvelopes: { empty, noMethod, numberAsMethod, text, emptyBatch, oldVersion } }) {
    const served = oldVersion.reply.is === "result" || errorOf(oldVersion)?.code === -32001;
    return [
      expectCode(empty, -32600, "an empty object"),
      expectCode(noMethod, -32600, "a request without a method"),
      expectCode(numberAsMethod, -32600, 'a request with "method": 5', {
        [-32601]: "method-not-found-code",
        [-32602]: "invalid-params-code",
        [-32700]: "parse-error-code",
      }),
      expectCode(text, -32600, "a bare string", { [-32700]: "parse-error-code" }),
      judgeBatch(emptyBatch),
      served
        ? breach(
            "older-jsonrpc-served",
            'a request with jsonrpc "1.0" is served',
            answerOf(oldVersion, "error.code -32600"),
          )
        : expectCode(oldVersion, -32600, 'a request with jsonrpc "1.0"', { [-32602]: "invalid-params-code" }),
    ];
  },
});

/** Batches may be served or refused (AMB-32); only a breakdown is wrong. */
function judgeBatch(call: Call): Finding {
  const details = answerOf(call, "error.code -32600, or the answers to a batch");
  if (isInternal(call)) return crashed("an empty batch is answered with an internal error", details);
  if (call.reply.is === "failure" && call.reply.failure.code !== "aborted")
    return crashed("an empty batch gets no answer", details);
  return holds();
}

const invalidParams = activeCheck({
  id: "JSONRPC-009",
  uses: { invalidInput, rpcEnvelopes },
  judge({ invalidInput: inputs, rpcEnvelopes: { positional, withoutParams: bare } }) {
    const array =
      positional &&
      expectCode(positional, -32602, "SendMessage with an array as params", {
        [-32600]: "invalid-request-for-array",
      });
    const findings = judgedCalls(inputs, ({ call, what, field, missing }): Finding => {
      // For 1.0 a role that does not exist is ERR-004's affair; before that there is no such rule.
      const isOlderRole = field === "role" && call.on.dialect !== "1.0";
      if (field !== "message" && !isOlderRole) return holds();
      if (call.reply.is !== "result") return expectCode(call, -32602, what, { [-32600]: "invalid-request-code" });
      return accepted(call, missing ? "incomplete-accepted" : "accepted", what);
    });
    const none = bare.map(({ method, call }) => {
      const what = `${method} without params`;
      if (call.reply.is === "result") return accepted(call, "incomplete-accepted", what);
      // Whether the method is there is for the rules about operations.
      if (errorOf(call)?.code === -32601) return holds();
      return expectCode(call, -32602, what, {
        [-32600]: "invalid-request-for-no-params",
        [-32001]: "missing-id-not-found",
      });
    });
    return [...findings, ...(array ? [array] : []), ...none];
  },
});

const accepted = (call: Call, code: BreachCode, what: string): Finding =>
  breach(code, `${what} is accepted`, answerOf(call, "error.code -32602"));

const streamErrors = activeCheck({
  id: "JSONRPC-019",
  uses: { unknownTask },
  judge({ unknownTask: asked }, target) {
    const { call } = asked.find(({ operation }) => operation === "SubscribeToTask")!;
    if (isForbidden(call, target)) return notApplicable("the agent does not tell its callers whether a task exists");
    const found = expectNamed(call, "TaskNotFound", {
      what: "SubscribeToTask with an unknown id",
      also: ["InvalidParams"],
    });
    if (found.is !== "holds" && !isBreach(found, "related-error", "reason-contradicts-code")) return found;
    const error = responsesIn(call).find((json) => "error" in json);
    if (error?.["id"] === callOf(call)?.id) return found;
    return broken("the error of a streaming call has another id than the request", {
      saw: `id ${JSON.stringify(error?.["id"])}`,
      want: `id ${callOf(call)?.id}`,
      at: call,
    });
  },
});

const withoutParams = activeCheck({
  id: "JSONRPC-023",
  uses: { firstContact },
  async judge(_seen, target) {
    // Where a tenant has to be named there have to be params.
    if (target.on.tenant !== undefined) return notApplicable("the interface has a tenant, which travels in params");
    const full = await target.call("GetExtendedAgentCard", {});
    const bare = await target.http("GetExtendedAgentCard", {}, (request) => {
      const { params: _none, ...rpc } = JSON.parse(Buffer.from(request.body!).toString()) as Record<string, unknown>;
      return { ...request, body: Buffer.from(JSON.stringify(rpc)) };
    });
    if (bare.reply.is === full.reply.is && errorOf(bare)?.code === errorOf(full)?.code) return holds();
    return broken("GetExtendedAgentCard without params is answered in another way than with empty ones", {
      saw: `${describeReply(bare)}, and with empty params ${describeReply(full)}`,
      want: "the same answer",
      at: [bare, full],
    });
  },
});

const notifications = activeCheck({
  id: "JSONRPC-029",
  uses: { taskAtRest },
  async judge({ taskAtRest: { last } }, target) {
    const call = await target.http(
      "GetTask",
      { id: last.id },
      (request) => {
        const { id: _none, ...rpc } = JSON.parse(Buffer.from(request.body!).toString()) as Record<string, unknown>;
        return { ...request, body: Buffer.from(JSON.stringify(rpc)) };
      },
      { fair: false },
    );
    if (call.reply.is === "failure") return notExamined("unstable", `no answer: ${describeReply(call)}`);
    const json = responseObject(call);
    if (json?.["result"] === undefined) return holds();
    return broken("a request without an id is answered with a result", {
      saw: brief(json),
      want: "an error or an empty body",
      at: call,
    });
  },
});

export const rpcRefusalChecks = [
  notifications,
  unknownMethod,
  brokenJson,
  noRequest,
  invalidParams,
  streamErrors,
  withoutParams,
];
