import type { JsonObject } from "@assay/protocol";
import { expect, test, vi } from "vitest";
import { repeatedIn } from "../answers/loose-json.ts";
import { looseTask } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import type { ActiveCheck } from "../define/check.ts";
import { spoken, wordsOf } from "./bindings/call.fixture.ts";
import { checks } from "./index.ts";
import { answerIsComplete, getReturnsIt } from "./send/complete-answers.ts";

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

/** Returns a task with many artifacts that count how often their ids are read. */
function countedTask() {
  const reads = { count: 0 };
  const artifacts = Array.from({ length: many }, (_, index): JsonObject => {
    const artifact = { parts: [{ text: "x" }] };
    const get = (): string => {
      reads.count += 1;
      return `a${index}`;
    };
    return Object.defineProperty(artifact, "artifactId", { enumerable: true, get }) as unknown as JsonObject;
  });
  const json = { id: "t", contextId: "c", status: { state: "TASK_STATE_COMPLETED" }, artifacts };
  return { reads, task: looseTask(json)!, call: { ...spoken("JSONRPC", {}), reply: { is: "result", json } } as Call };
}

const comparing: [what: string, check: ActiveCheck][] = [
  ["SEND-011", answerIsComplete],
  ["GET-001", getReturnsIt],
];

test.each(comparing)("%s looks up each of many artifacts by its id once", async (_id, check) => {
  const [answered, read] = [countedTask(), countedTask()];
  const taskAtRest = { call: answered.call, task: answered.task, last: read.task, got: read.call };
  const found = await check.judge({ taskAtRest } as unknown as Parameters<ActiveCheck["judge"]>[0], {} as never);
  expect(wordsOf(found)).toEqual(["holds"]);
  expect(answered.reads.count + read.reads.count).toBeLessThanOrEqual(6 * many);
});

test("finding a repeated text reads each text twice at most", () => {
  let reads = 0;
  const texts = Array.from({ length: many }, (_, index) => `text ${index}`);
  const counted = (list: string[]): string[] =>
    new Proxy(list, {
      get(target, name, receiver) {
        reads += 1;
        return Reflect.get(target, name, receiver) as unknown;
      },
    });
  expect(repeatedIn(counted(texts))).toBeUndefined();
  expect(repeatedIn(counted([...texts, "text 7", "text 3"]))).toBe("text 7");
  expect(reads).toBeLessThanOrEqual(4 * many + 20);
});
