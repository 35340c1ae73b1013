import type { JsonObject } from "@assay/protocol";
import { answerOf, errors, without } from "../bending/json.ts";
import { instead, orElse } from "../bending/operations.ts";
import { mutant } from "../mutant.ts";

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

export const getMutants = [
  mutant("GET-001.no-artifacts", "spec", "Shows a task without its artifacts when it is asked for later.", {
    codec: answerOf("GetTask", (task) => without(task, "artifacts")),
  }),

  mutant("GET-002.empty", "spec", "Answers with an empty object when asked for a task that does not exist.", {
    operations: instead(["GetTask"], ({ proceed }) => orElse(proceed(), "TaskNotFound", () => ({ answer: {} }))),
  }),

  mutant("GET-003.stack-trace", "spec", "Breaks down when GetTask comes without an id, and shows where.", {
    codec: errors("JSONRPC", (answer, { operation }) =>
      operation === "GetTask" && blamed(answer).includes("id")
        ? { ...answer, error: { code: -32603, message: stackTrace } }
        : answer,
    ),
  }),
];
