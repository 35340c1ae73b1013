import type { JsonObject, Task } from "@assay/protocol";
import { type Divergence, mutant } from "../mutant.ts";
import { answerOf, errors, inJson, without } from "../mutation/json.ts";
import { intercept, orElse } from "../mutation/operations.ts";

/** What a server says that shows its inside. */
const stackTrace = [
  "TypeError: Cannot read properties of undefined (reading 'length')",
  "    at TaskStore.find (/srv/agent/src/store.js:41:22)",
  "    at async Agent.getTask (/srv/agent/src/agent.js:118:18)",
].join("\n");

/** The fields that an error of JSON-RPC blames. */
const blamed = ({ error }: JsonObject): unknown[] =>
  ((error as JsonObject)["data"] as JsonObject[]).flatMap((detail) =>
    ((detail["fieldViolations"] ?? []) as JsonObject[]).map(({ field }) => field),
  );

/** Keeps in mind which tasks were read. */
const readOnce: Divergence = {
  id: "GET-004.read-once",
  base: "spec",
  does: "Shows the artifacts of a task to the first who reads it, and then no more.",
  differs: () => {
    const read = new Set<string>();
    const operations = intercept(["GetTask"], async ({ proceed }) => {
      const task = (await proceed()).answer as Task;
      if (!task.artifacts || !read.has(task.id)) {
        if (task.artifacts) read.add(task.id);
        return { answer: task };
      }
      const { artifacts: _seen, ...rest } = task;
      return { answer: rest };
    });
    return { layers: { operations } };
  },
};

export const getMutants: readonly Divergence[] = [
  mutant("GET-001.no-artifacts", "spec", "Shows a task without its artifacts when it is asked for later.", {
    codec: answerOf("GetTask", (task) => without(task, "artifacts")),
  }),

  mutant("GET-002.empty", "spec", "Answers with an empty object when asked for a task that does not exist.", {
    operations: intercept(["GetTask"], ({ proceed }) => orElse(proceed(), "TaskNotFound", () => ({ answer: {} }))),
  }),

  mutant("GET-003.stack-trace", "spec", "Breaks down when GetTask comes without an id, and shows where.", {
    codec: errors("JSONRPC", (answer, { operation }) =>
      operation === "GetTask" && blamed(answer).includes("id")
        ? { ...answer, error: { code: -32603, message: stackTrace } }
        : answer,
    ),
  }),

  readOnce,

  mutant("GET-005.wrapped", "spec", "Wraps the task that is asked for, as in the answer to a message.", {
    codec: inJson(answerOf("GetTask", (task) => ({ task }))),
  }),
];
