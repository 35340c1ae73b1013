import { A2AError, type SendMessageRequest, type Task } from "@assay/protocol/core";
import { changes, nextGeneration } from "../store/apply.ts";
import type { TaskLog } from "../store/store.ts";

/** Maximum time that GetTask waits for a newer generation, and its minimum if the test bed shortens delays. */
export const longPollMs = 20_000;
export const leastLongPollMs = 5_000;

/** Reads a 64-bit integer of a request: ProtoJSON allows a string and a number. */
export function generationIn(value: string | undefined, path: string): bigint | undefined {
  if (value === undefined) return undefined;
  if (/^-?\d{1,19}$/.test(String(value))) return BigInt(value);
  const name = path.slice(path.lastIndexOf(".") + 1);
  throw new A2AError("InvalidParams", `${name} must be a 64-bit integer`, {
    violations: [{ path, message: "must be a 64-bit integer, written as a string" }],
  });
}

/** Rejects a message for another generation of its task than the current one. */
export function checkGeneration({ configuration }: SendMessageRequest, { id, generation = "0" }: Task): void {
  const expected = generationIn(configuration?.ifGenerationMatch, "$.configuration.ifGenerationMatch");
  if (expected === undefined || expected === BigInt(generation)) return;
  throw new A2AError(
    "TaskGenerationMismatch",
    `Task ${id} has generation ${generation}, and the message is for generation ${expected}`,
    { facts: { taskId: id, expectedGeneration: String(expected), currentGeneration: generation } },
  );
}

/** Reads a log until the generation of its task is above a value, or the task has ended. */
export async function untilNewer(log: TaskLog, { generation = "0" }: Task, known: bigint): Promise<void> {
  let now = generation;
  for await (const batch of log) {
    for (const event of batch) if (changes(event)) now = nextGeneration(now);
    if (BigInt(now) > known) return;
  }
}
