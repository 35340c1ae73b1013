import { describe, expect, test } from "vitest";
import { spoken, wordsOf } from "../call.fixture.ts";
import { errorShape, errorStatusName } from "./envelope.ts";

const info = {
  "@type": "type.googleapis.com/google.rpc.ErrorInfo",
  reason: "TASK_NOT_FOUND",
  domain: "a2a-protocol.org",
};
const error = { code: 404, status: "NOT_FOUND", message: "no", details: [info] };

describe("the body of an error", () => {
  test.each<[string, unknown, string[]]>([
    ["has code and message under error", { error }, ["holds"]],
    ["may do without status and details", { error: { code: 404, message: "no" } }, ["holds"]],
    ["may have members that nobody knows", { error: { ...error, traceId: "x" }, meta: {} }, ["holds"]],
    ["has the HTTP status as its code", { error: { ...error, code: 400 } }, ["broken"]],
    ["has not the number of gRPC as its code", { error: { ...error, code: 5 } }, ["grpc-number"]],
    ["has no name as its code", { error: { ...error, code: "NOT_FOUND" } }, ["broken"]],
    [
      "is wrapped, even if it is a Status with an ErrorInfo",
      { code: 5, message: "no", details: [info] },
      ["bare-status"],
    ],
    ["is no bare Status without one", { code: 5, message: "no" }, ["page-not-found"]],
    ["is no problem document", { type: "about:blank", title: "no", status: 404 }, ["page-not-found"]],
    ["is not what a framework says", { detail: "Not Found" }, ["page-not-found"]],
    ["is no text", "Not Found", ["page-not-found"]],
    ["is there", "", ["page-not-found"]],
  ])("%s", (_what, body, verdict) => {
    expect(wordsOf(errorShape.judge(spoken("HTTP+JSON", { status: 404, body })))).toEqual(verdict);
  });

  test("is broken where the status does not leave open whether the path is there", () => {
    expect(wordsOf(errorShape.judge(spoken("HTTP+JSON", { status: 400, body: "no" })))).toEqual(["broken"]);
  });

  test.each([401, 403, 413, 429, 503])("is not judged where HTTP %i comes from in front of the binding", (status) => {
    expect(errorShape.judge(spoken("HTTP+JSON", { status, body: "no" }))).toBeUndefined();
  });
});

describe("the status of an error", () => {
  test.each<[string, object, string[]]>([
    ["is a name of gRPC", { status: "NOT_FOUND" }, ["holds"]],
    ["is missing", { status: undefined }, ["broken"]],
    ["is no number", { status: 404 }, ["broken"]],
    ["does not contradict the reason", { status: "INTERNAL" }, ["broken"]],
    [
      "may be that of 1.0.0",
      { status: "UNIMPLEMENTED", details: [{ ...info, reason: "VERSION_NOT_SUPPORTED" }] },
      ["holds"],
    ],
  ])("%s", (_what, change, verdict) => {
    const call = spoken("HTTP+JSON", { status: 404, body: { error: { ...error, ...change } } });
    expect(wordsOf(errorStatusName.judge(call))).toEqual(verdict);
  });
});
