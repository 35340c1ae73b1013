import type { JsonValue } from "@assay/protocol";
import type { Exchange, PeerError } from "@assay/wire";
import { expect, test } from "vitest";
import type { StepAnswer } from "../running/answer.ts";
import { defects } from "./defects.ts";

const answer = (more: Partial<StepAnswer>): StepAnswer => ({
  exchange: { id: "x1" } as Exchange,
  status: 200,
  root: undefined,
  sent: "",
  saw: "",
  ...more,
});
const error = (more: Partial<PeerError>): PeerError => ({
  message: "There is no task",
  http: 200,
  details: [],
  ...more,
});
const rpcError = (code: number, data?: JsonValue): JsonValue => ({
  error: { code, message: "m", ...(data && { data }) },
});

/** [test, a response that excuses the agent, one that does not] */
test.each<[string, Partial<StepAnswer>, Partial<StepAnswer>]>([
  ["CORE-CAP-001", { error: error({ code: -32003 }) }, { error: error({ code: -32603 }) }],
  ["PUSH-CFG-004", { error: error({ code: -32003 }) }, { root: { id: "c" } }],
  [
    "CORE-ERR-007",
    { error: error({ code: -32001 }), root: rpcError(-32001, [{}]) },
    { error: error({ code: -32001 }), root: rpcError(-32001, "text") },
  ],
  ["REST-PD-001", { status: 404, root: { error: { code: 404, message: "m" } } }, { status: 404, root: {} }],
  ["SEC-AUTH-006", { status: 200, root: { capabilities: {} } }, { status: 200, root: {} }],
  ["SEC-AUTH-001", { status: 401 }, { status: 200, root: { result: {} } }],
  ["VER-NEG-002", { root: rpcError(-32009) }, { root: rpcError(-32603) }],
  ["JSONRPC-ENV-001", { root: rpcError(-32602) }, { root: rpcError(-32603) }],
  ["JSONRPC-SSE-001", { events: [rpcError(-32602)] }, { events: [{ result: {} }] }],
  ["JSONRPC-ERR-003", { root: rpcError(-32001) }, { root: rpcError(-32001, [{ "@type": "x" }]) }],
  [
    "CORE-CANCEL-001",
    { root: { status: { state: "TASK_STATE_WORKING" } } },
    { root: { status: { state: "TASK_STATE_COMPLETED" } } },
  ],
  ["CORE-SEND-004", { root: { task: {} } }, { error: error({ code: -32603 }) }],
  [
    "DM-SERIAL-001",
    { root: { task: { status: { state: "TASK_STATE_COMPLETED" } } } },
    { root: { task: { status: { state: "TASK_STATE_COMPLETED", timestamp: "yesterday" } } } },
  ],
  [
    "DM-FMT-003",
    { root: { message: { role: "ROLE_AGENT", contextId: "c" } } },
    { root: { message: { role: "ROLE_AGENT", contextId: "" } } },
  ],
  ["CORE-HIST-006", { root: { status: { state: "TASK_STATE_COMPLETED" } } }, { root: { history: [] } }],
])("%s is held against the corpus only where the agent keeps to the protocol", (id, excused, accused) => {
  const { conforms } = defects[id]!;
  expect(conforms?.(answer(excused), "JSONRPC")).toBe(true);
  expect(conforms?.(answer(accused), "JSONRPC")).toBe(false);
});
