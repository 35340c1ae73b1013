import type { JsonObject } from "@assay/protocol";
import { expect, test } from "vitest";
import type { Call } from "../define/call.ts";
import { isError } from "./same-error.ts";

const on = (dialect: "0.1" | "0.3" | "1.0") => ({ url: "http://127.0.0.1:1/", binding: "JSONRPC" as const, dialect });

const returned = (dialect: "0.1" | "0.3", state: string): Call =>
  ({
    on: on(dialect),
    operation: "CancelTask",
    reply: { is: "result", json: { id: "t", status: { state } } as JsonObject },
  }) as Call;

const refused = (dialect: "0.1" | "1.0", code: number): Call =>
  ({
    on: on(dialect),
    operation: "CancelTask",
    reply: { is: "error", error: { code, message: "no", http: 200 } },
  }) as Call;

test.each([
  ["the error, in 1.0", refused("1.0", -32002), true],
  ["another error, in 1.0", refused("1.0", -32603), false],
  ["an ended task, in 0.1", returned("0.1", "TASK_STATE_COMPLETED"), true],
  ["a working task, in 0.1", returned("0.1", "TASK_STATE_WORKING"), undefined],
  ["an ended task, in 0.3", returned("0.3", "TASK_STATE_COMPLETED"), undefined],
])("%s", (_, call, expected) => {
  expect(isError(call, "TaskNotCancelable")).toBe(expected);
});
