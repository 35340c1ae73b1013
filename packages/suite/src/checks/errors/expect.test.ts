import type { PeerInterface } from "@assay/wire";
import { expect, test } from "vitest";
import type { Call } from "../../define/call.ts";
import { spoken, wordsOf } from "../bindings/call.fixture.ts";
import { expectTaskNotFound } from "./expect.ts";

/** A message to an unknown task that was rejected, by default as invalid. */
function rejected(binding: "JSONRPC" | "HTTP+JSON", dialect: PeerInterface["dialect"], code = -32602): Call {
  const plain = spoken(binding, { status: 400 });
  const error = { code, http: code === -32603 ? 500 : 400, message: "Invalid message", details: [] };
  return { ...plain, on: { ...plain.on, dialect }, reply: { is: "error", error }, said: { is: "error", error } };
}

const target = { facts: { secured: false } } as Parameters<typeof expectTaskNotFound>[3];
const judged = (call: Call, sent?: unknown): readonly string[] =>
  wordsOf(expectTaskNotFound(call, "SendMessage to an unknown task", sent, target));

// Over HTTP+JSON of 0.3, an agent may also read messages in another form.
test.each([
  ["HTTP+JSON", "0.3"],
  ["HTTP+JSON", "1.0"],
  ["JSONRPC", "0.3"],
  ["JSONRPC", "1.0"],
] as const)(
  "an agent that accepts no message over %s of %s may refuse this one for its content",
  (binding, dialect) => {
    expect(judged(rejected(binding, dialect))).toEqual(["not-examined"]);
    expect(judged(rejected(binding, dialect), {})).not.toEqual(["not-examined"]);
    expect(judged(rejected(binding, dialect, -32603))).not.toEqual(["not-examined"]);
  },
);
