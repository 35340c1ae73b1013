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
import { judgedCalls, sentCall } from "../../../observations/sent-calls.ts";
import { taskAtRest } from "../../../observations/sent-message.ts";
import { unknownTask } from "../../../observations/unknown-task.ts";
import type { BreachCode } from "../../../rules/breach-codes.ts";
import { expectNamed, isForbidden } from "../../errors/expect.ts";
import { callOf, responseObject, responsesIn } from "./request.ts";

/**
 * Checks that a request was refused with a JSON-RPC code; `also` are other acceptable codes, each with its breach code.
 */
function expectCode(call: Call, code: number, what: string, also: Readonly<Record<number, BreachCode>> = {}): Finding {
  const error = errorOf(call);
  const details = answerOf(call, `error.code ${code}`);
  if (error?.code === code) return holds();
  if (isInternal(call)) return crashed(`${what} returns an internal error`, details);
  if (call.reply.is === "failure") return crashed(`${what} gets no response`, details);
  // A web framework in front of the server may refuse invalid JSON with its own page.
  if (error?.code === undefined && call.exchange.http.response?.status === 400)
    return breach("http-400-alone", `${what} returns HTTP 400 without a JSON-RPC error`, details);
  if (error?.code === undefined)
    return broken(
      `${what} returns ${error || call.reply.is === "malformed" ? "no JSON-RPC error" : "a result"}`,
      details,
    );
  const isMissing = code !== -32601 && error.code === -32601 && call.operation !== undefined;
  return breach(
    also[error.code] ?? (isMissing ? "operation-not-served" : "broken"),
    `${what} returns ${error.code}, expected ${code}`,
    details,
  );
}

export const unknownMethod = activeCheck("JSONRPC-006", {
  uses: { rpcEnvelopes },
  judge({ rpcEnvelopes: { unknownMethod: call, oldMethod, otherCase } }, target) {
    const known = (
      [
        ["message/send", oldMethod],
        ["sendMessage", otherCase],
      ] as const
    ).flatMap(([name, old]) => (!old || errorOf(old)?.code === -32601 ? [] : [name]));
    const isNoteworthy = known.length > 0 && target.on.dialect === "1.0";
    const note = isNoteworthy ? `the agent also knows ${known.join(" and ")} in version 1.0` : undefined;
    const found = expectCode(call, -32601, "an unknown method", { [-32600]: "invalid-request-code" });
    return found.is === "holds" ? holds(note) : found;
  },
});

export const brokenJson = activeCheck("JSONRPC-007", {
  uses: { rpcEnvelopes },
  judge({ rpcEnvelopes: { cutOff } }) {
    const found = expectCode(cutOff, -32700, "a body that is not JSON");
    if (found.is !== "holds") return found;
    const id = responsesIn(cutOff)[0]?.["id"] ?? null;
    if (id === null) return holds();
    return broken("a parse error has an id", { saw: `id ${JSON.stringify(id)}`, want: "id null", at: cutOff });
  },
});

export const noRequest = activeCheck("JSONRPC-008", {
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
            'a request with jsonrpc "1.0" succeeds',
            answerOf(oldVersion, "error.code -32600"),
          )
        : expectCode(oldVersion, -32600, 'a request with jsonrpc "1.0"', { [-32602]: "invalid-params-code" }),
    ];
  },
});

/** An agent may support batches or refuse them (AMB-32); only a crash is wrong. */
function judgeBatch(call: Call): Finding {
  const details = answerOf(call, "error.code -32600, or a batch response");
  if (isInternal(call)) return crashed("an empty batch returns an internal error", details);
  if (call.reply.is === "failure" && call.reply.failure.code !== "aborted")
    return crashed("an empty batch gets no response", details);
  return holds();
}

/** An agent that offers only streams may say so before it reads the parameters of SendMessage (AMB-34). */
const unsupportedSend = { [-32004]: "related-error" } as const;

export const invalidParams = activeCheck("JSONRPC-009", {
  uses: { invalidInput, rpcEnvelopes },
  judge({ invalidInput: inputs, rpcEnvelopes: { positional, withoutParams: bare } }) {
    const array =
      positional &&
      expectCode(positional, -32602, "SendMessage with an array as params", {
        [-32600]: "invalid-request-for-array",
        ...unsupportedSend,
      });
    const findings = judgedCalls(inputs, ({ call, what, field, missing }): Finding => {
      // In 1.0, ERR-004 judges an unknown role; earlier versions have no such rule.
      const isOlderRole = field === "role" && call.on.dialect !== "1.0";
      if (field !== "message" && !isOlderRole) return holds();
      if (call.reply.is !== "result")
        return expectCode(call, -32602, what, { [-32600]: "invalid-request-code", ...unsupportedSend });
      return accepted(call, missing ? "incomplete-accepted" : "accepted", what);
    });
    const none = bare.map(({ method, call }) => {
      const what = `${method} without params`;
      if (call.reply.is === "result") return accepted(call, "incomplete-accepted", what);
      // Rules about operations judge a missing method.
      if (errorOf(call)?.code === -32601) return holds();
      return expectCode(call, -32602, what, {
        [-32600]: "invalid-request-for-no-params",
        [-32001]: "missing-id-not-found",
        ...(call.operation === "SendMessage" && unsupportedSend),
      });
    });
    return [...findings, ...(array ? [array] : []), ...none];
  },
});

const accepted = (call: Call, code: BreachCode, what: string): Finding =>
  breach(code, `${what} returns no error`, answerOf(call, "error.code -32602"));

export const streamErrors = activeCheck("JSONRPC-019", {
  uses: { unknownTask },
  judge({ unknownTask: asked }, target) {
    const { call } = sentCall(asked, ({ operation }) => operation === "SubscribeToTask")!;
    if (isForbidden(call, target)) return notApplicable("the agent does not reveal whether a task exists");
    const found = expectNamed(call, "TaskNotFound", {
      what: "SubscribeToTask with an unknown id",
      also: ["InvalidParams"],
    });
    if (found.is !== "holds" && !isBreach(found, "related-error", "reason-contradicts-code")) return found;
    const error = responsesIn(call).find((json) => "error" in json);
    if (error?.["id"] === callOf(call)?.id) return found;
    return broken("the error of a streaming call has a different id than the request", {
      saw: `id ${JSON.stringify(error?.["id"])}`,
      want: `id ${callOf(call)?.id}`,
      at: call,
    });
  },
});

export const withoutParams = activeCheck("JSONRPC-023", {
  uses: { firstContact },
  async judge(_seen, target) {
    // A tenant is part of the params, so they cannot be omitted.
    if (target.on.tenant !== undefined) return notApplicable("the interface has a tenant, which is sent in params");
    const full = await target.call("GetExtendedAgentCard", {}, { share: "plain" });
    const bare = await target.http("GetExtendedAgentCard", {}, (request) => {
      const { params: _none, ...rpc } = JSON.parse(Buffer.from(request.body!).toString()) as Record<string, unknown>;
      return { ...request, body: Buffer.from(JSON.stringify(rpc)) };
    });
    if (bare.reply.is === full.reply.is && errorOf(bare)?.code === errorOf(full)?.code) return holds();
    return broken("GetExtendedAgentCard returns different responses without params and with empty params", {
      saw: `${describeReply(bare)}; with empty params ${describeReply(full)}`,
      want: "the same response",
      at: [bare, full],
    });
  },
});

export const notifications = activeCheck("JSONRPC-029", {
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
    if (call.reply.is === "failure")
      return notExamined("unstable", `the request got no response: ${describeReply(call)}`);
    const json = responseObject(call);
    if (json?.["result"] === undefined) return holds();
    return broken("a request without an id returns a result", {
      saw: brief(json),
      want: "an error or an empty body",
      at: call,
    });
  },
});
