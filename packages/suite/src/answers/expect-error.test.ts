import type { Binding, DialectVersion } from "@assay/protocol";
import type { PeerError } from "@assay/wire";
import { describe, expect, test } from "vitest";
import { spoken, wordOf } from "../checks/bindings/call.fixture.ts";
import { expectNamed, expectUnsupported } from "../checks/errors/expect.ts";

import type { Call } from "../define/call.ts";
import type { Finding } from "../define/finding.ts";
import { expectError, expectInvalid } from "./expect-error.ts";

const answered = (binding: Binding, reply: Call["reply"], dialect: DialectVersion = "1.0"): Call => {
  const call = spoken(binding, {});
  return { ...call, on: { ...call.on, dialect }, reply };
};

const refused = (binding: Binding, error: Partial<PeerError>, dialect?: DialectVersion): Call =>
  answered(binding, { is: "error", error: { message: "no", http: 200, details: [], ...error } }, dialect);

const told = (finding: Finding): string | undefined => ("message" in finding ? finding.message : undefined);

const brokenOff = { is: "stream", events: [], failure: { code: "closed-early", message: "closed" } } as const;
const hungUp = { is: "stream", events: [], failure: { code: "aborted", message: "we ended it" } } as const;

describe("a request that is to be refused with TaskNotCancelable", () => {
  const what = "CancelTask for an ended task";
  const judge = (call: Call): Finding => expectError(call, "TaskNotCancelable", { what, also: ["InvalidParams"] });

  test.each<[string, Call, string]>([
    ["by its code", refused("JSONRPC", { code: -32002 }), "holds"],
    ["by its status", refused("HTTP+JSON", { http: 400, reason: "TASK_NOT_CANCELABLE" }), "holds"],
    ["by the status of 1.0.0", refused("HTTP+JSON", { http: 409, reason: "TASK_NOT_CANCELABLE" }), "error-table-1.0.0"],
    ["by another status", refused("HTTP+JSON", { http: 410, reason: "TASK_NOT_CANCELABLE" }), "other-error"],
    ["by an error that the reading allows", refused("JSONRPC", { code: -32602 }), "related-error"],
    [
      "by the status of such an error, and another name",
      refused("HTTP+JSON", { http: 400, reason: "TASK_NOT_FOUND" }),
      "other-error",
    ],
    ["by another code", refused("JSONRPC", { code: -32001 }), "other-error"],
    ["as an operation that is not known", refused("JSONRPC", { code: -32601 }), "operation-not-served"],
    ["as an operation that is not supported", refused("JSONRPC", { code: -32004 }), "operation-unsupported"],
    ["by the status of 1.0.0, without its name", refused("HTTP+JSON", { http: 409 }), "unnamed-old-status"],
    ["by the code of internal errors", refused("JSONRPC", { code: -32603 }), "internal-error-number"],
    ["by a breakdown", refused("JSONRPC", { code: -32603, http: 500 }), "crashed"],
    ["by a breakdown of gRPC", refused("GRPC", { grpc: { code: 13, status: "INTERNAL" } }), "crashed"],
    ["not at all", answered("JSONRPC", { is: "result", json: {} }), "accepted"],
    ["with an empty stream", answered("JSONRPC", { is: "stream", events: [] }), "accepted"],
    ["with a stream that breaks off before it begins", answered("JSONRPC", brokenOff), "crashed"],
    ["with a stream that we did not wait for", answered("JSONRPC", hungUp), "accepted"],
    ["by a page", answered("JSONRPC", { is: "malformed", because: "no JSON" }), "broken"],
    ["by a status that blames nobody", refused("HTTP+JSON", { http: 503 }), "broken"],
    ["by the status that 0.3 is known to use", refused("HTTP+JSON", { http: 409 }, "0.3"), "holds"],
  ])("%s", (_how, call, word) => expect(wordOf(judge(call))).toBe(word));

  test.each<[Call, string]>([
    [refused("JSONRPC", { code: -32601 }), `${what} returns -32601, expected -32002 (TaskNotCancelable)`],
    [refused("HTTP+JSON", { http: 404 }), `${what} returns HTTP 404, expected HTTP 400 (TaskNotCancelable)`],
    [
      refused("HTTP+JSON", { http: 410, reason: "TASK_NOT_CANCELABLE" }),
      `${what} returns HTTP 410 TASK_NOT_CANCELABLE, expected HTTP 400 (TaskNotCancelable)`,
    ],
    [
      refused("GRPC", { grpc: { code: 5, status: "NOT_FOUND" } }),
      `${what} returns NOT_FOUND, expected FAILED_PRECONDITION (TaskNotCancelable)`,
    ],
    [refused("JSONRPC", { code: -32004 }), `${what} returns UnsupportedOperation, expected TaskNotCancelable`],
    [
      refused("GRPC", { grpc: { code: 9, status: "FAILED_PRECONDITION" }, reason: "UNSUPPORTED_OPERATION" }),
      `${what} returns UnsupportedOperation, expected TaskNotCancelable`,
    ],
    [answered("GRPC", { is: "result", json: {} }), `${what} returns no error`],
    [answered("JSONRPC", { is: "stream", events: [] }), `${what} opens a stream that ends without an event`],
    [answered("JSONRPC", brokenOff), `${what} opens a stream that breaks off before its first event`],
  ])("says what was seen and what is expected (%#)", (call, message) => expect(told(judge(call))).toBe(message));

  test("has no name for a code that 0.1 used for something else", () => {
    expect(told(judge(refused("JSONRPC", { code: -32008 }, "0.1")))).toMatch(/returns -32008, expected -32002/);
  });
});

describe("a request that is not valid", () => {
  const judge = (call: Call): Finding => expectInvalid(call, "GetTask without an id");

  test.each<[string, Call, string]>([
    ["is refused with -32602", refused("JSONRPC", { code: -32602 }), "holds"],
    ["is not refused with -32600 in 1.0", refused("JSONRPC", { code: -32600 }), "not-a-validation-error"],
    ["may be refused with -32600 before", refused("JSONRPC", { code: -32600 }, "0.3"), "holds"],
    ["is not refused with 409", refused("HTTP+JSON", { http: 409 }), "not-a-validation-error"],
    ["breaks nothing down", refused("JSONRPC", { code: -32603 }), "crashed"],
    ["is not taken", answered("JSONRPC", { is: "result", json: {} }), "accepted"],
  ])("%s", (_how, call, word) => expect(wordOf(judge(call))).toBe(word));
});

describe("what an agent does not offer", () => {
  const judge = (call: Call): Finding => expectUnsupported(call, "SendStreamingMessage");

  test.each<[string, Call, string]>([
    ["is refused with -32004", refused("JSONRPC", { code: -32004 }), "holds"],
    ["is refused by another name", refused("JSONRPC", { code: -32602 }), "other-reason"],
    ["is not known", refused("JSONRPC", { code: -32601 }), "operation-not-served"],
    ["is refused by another name in 0.3", refused("JSONRPC", { code: -32601 }, "0.3"), "other-reason"],
    ["is refused as an internal error", refused("JSONRPC", { code: -32603 }, "0.3"), "refused-as-internal"],
    ["is taken", answered("JSONRPC", { is: "result", json: {} }, "0.3"), "accepted"],
  ])("%s", (_how, call, word) => expect(wordOf(judge(call))).toBe(word));
});

test("the right code with the reason of another error is told apart over JSON-RPC", () => {
  const call = refused("JSONRPC", { code: -32001, reason: "UNSUPPORTED_OPERATION" });
  expect(wordOf(expectNamed(call, "TaskNotFound", { what: "GetTask" }))).toBe("reason-contradicts-code");
});
