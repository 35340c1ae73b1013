import { expect, test, vi } from "vitest";
import { spoken } from "./bindings/call.fixture.ts";
import { checks } from "./index.ts";

/** Counts work instead of measuring time: it must grow with the data, and not with its square. */
const many = 500;

const passive = checks.flatMap((check) => (check.kind === "passive" ? [check] : []));

test.each(["JSONRPC", "HTTP+JSON"] as const)("all checks together parse an event once, %s", (binding) => {
  const chunk = {
    artifactUpdate: { taskId: "t", contextId: "c", artifact: { artifactId: "a", parts: [{ text: "x" }] } },
  };
  const events = Array.from({ length: many }, (_, index) =>
    JSON.stringify(binding === "JSONRPC" ? { jsonrpc: "2.0", id: 1, result: chunk, index } : { ...chunk, index }),
  );
  const sent = { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params: {} };
  const call = spoken(binding, { sent, events, operation: "SendStreamingMessage", body: "" });
  const parse = vi.spyOn(JSON, "parse");
  for (const check of passive) check.judge(call);
  const parsed = parse.mock.calls.map(([text]) => text);
  parse.mockRestore();
  expect(events.filter((data) => parsed.filter((text) => text === data).length !== 1)).toEqual([]);
});
