import { expect, test } from "vitest";
import type { Call } from "../../define/call.ts";
import { spoken, wordsOf } from "../bindings/call.fixture.ts";
import { invalidAgentResponse as check } from "./mapping.ts";

/** GetTask that was answered with this error over JSON-RPC. */
function answered(error: { code: number; reason?: string }, fair = true): Call {
  const { code, reason } = error;
  const reply = {
    is: "error",
    error: { code, http: 200, message: "no", details: [], ...(reason !== undefined && { reason }) },
  } as const;
  return { ...spoken("JSONRPC", { fair }), reply, said: reply };
}

const judged = (call: Call): readonly string[] => {
  return wordsOf(check.judge(call));
};

test("an invalid response that the agent owns up to is told by -32006", () => {
  expect(judged(answered({ code: -32006, reason: "INVALID_AGENT_RESPONSE" }))).toEqual(["holds"]);
});

test("a request that is wrong is no invalid response of the agent", () => {
  expect(judged(answered({ code: -32006, reason: "INVALID_AGENT_RESPONSE" }, false))).toEqual(["broken"]);
});

test("other errors say nothing about it", () => {
  expect(judged(answered({ code: -32001, reason: "TASK_NOT_FOUND" }))).toEqual([]);
});
