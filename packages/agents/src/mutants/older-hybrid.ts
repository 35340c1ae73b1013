import { A2AError, type DialectVersion, isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import { type Divergence, spec } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { cardByVersion } from "../mutation/cards.ts";
import { answerOf, eachMember } from "../mutation/json.ts";
import { intercept } from "../mutation/operations.ts";

/** Spells task states in the format of another version. */
const respelled = (json: JsonValue, version: DialectVersion): JsonValue =>
  eachMember(json, "state", (state) => {
    const word = String(state)
      .replace(/^TASK_STATE_/, "")
      .toLowerCase()
      .replaceAll("_", "-");
    return version === "1.0" ? `TASK_STATE_${word.toUpperCase().replaceAll("-", "_")}` : word;
  });

/** Uses the version of the previous request. */
function lateByOne(): Layers {
  let last: DialectVersion | undefined;
  return {
    codec: (json, written) => {
      if (written.is !== "answer" || written.operation !== "GetTask") return json;
      const { version } = written.dialect;
      const before = last ?? version;
      last = version;
      return before === version ? json : respelled(json, before);
    },
  };
}

const holdsFile = (artifact: JsonValue): boolean =>
  isObject(artifact) &&
  Array.isArray(artifact["parts"]) &&
  artifact["parts"].some((part) => isObject(part) && part["file"] !== undefined);

/** Agents that mix up 0.3 and 1.0. */
export const hybridMutants: readonly Divergence[] = [
  spec("V03-VER-001.late-by-one", "The agent responds to each request in the version of the previous request.", () =>
    lateByOne(),
  ),

  spec("V03-VER-002.empty", "The agent rejects a request with an empty A2A-Version.", {
    admission: (admission) => ({
      ...admission,
      dialect(head, agent, method) {
        if (head.headers["a2a-version"] === "")
          throw new A2AError("VersionNotSupported", "This agent does not speak that version");
        return admission.dialect(head, agent, method);
      },
    }),
  }),

  spec("V03-VER-003.own-store", "A task created in 1.0 cannot be read in 0.3.", {
    operations: intercept(
      ["SendMessage", "SendStreamingMessage", "GetTask", "CancelTask", "SubscribeToTask"],
      ({ invocation, proceed }) =>
        // Webhooks of older versions have another body, which identifies them here.
        proceed(undefined, invocation.webhookBody ? { tenant: "of older versions" } : {}),
    ),
  }),

  spec("V03-VER-004.no-files", "Artifacts with a file are missing when a task is read in 0.3.", {
    codec: (json, written) =>
      written.dialect.version === "0.3"
        ? answerOf("GetTask", (task) => ({
            ...task,
            ...(Array.isArray(task["artifacts"]) && {
              artifacts: task["artifacts"].filter((artifact) => !holdsFile(artifact)),
            }),
          }))(json, written)
        : json,
  }),

  spec("V03-VER-005.forgotten", "The card for 0.3 clients lacks a skill of the card for 1.0 clients.", {
    http: cardByVersion((card) => ({ ...card, skills: (card["skills"] as JsonObject[]).slice(0, -1) })),
  }),
];
