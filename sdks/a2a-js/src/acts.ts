import { setTimeout as sleep } from "node:timers/promises";
import { type Part, TaskState } from "@a2a-js/sdk";
import { readByClient } from "./client-parse.ts";
import { part, type Skill, text } from "./teller.ts";

const file = { filename: "document.txt", mediaType: "text/plain" };

const finished =
  (content: Part): Skill =>
  (tell) => {
    tell.begin();
    tell.status(TaskState.TASK_STATE_WORKING);
    tell.artifact("result", [content]);
    tell.status(TaskState.TASK_STATE_COMPLETED);
  };

const ends =
  (state: TaskState, words: string): Skill =>
  (tell) => {
    tell.begin();
    tell.status(state, words);
  };

const works =
  (ms: number): Skill =>
  async (tell, _words, signal) => {
    tell.begin();
    tell.status(TaskState.TASK_STATE_WORKING);
    await sleep(ms, undefined, { signal }).catch(() => {});
    if (signal.aborted) return tell.status(TaskState.TASK_STATE_CANCELED);
    tell.artifact("result", [text("done")]);
    tell.status(TaskState.TASK_STATE_COMPLETED);
  };

const multiTurn: Skill = (tell, words) => {
  tell.begin();
  // Ask without a text: an agent's texts become history, and CORE-HIST-005 counts the user's messages there.
  tell.status(/^\s*done\b/i.test(words) ? TaskState.TASK_STATE_COMPLETED : TaskState.TASK_STATE_INPUT_REQUIRED);
};

const inputRequired: Skill = (tell, words) => {
  tell.begin();
  if (!words.startsWith("tck-")) return tell.status(TaskState.TASK_STATE_COMPLETED, "[tck-input-required] Thank you.");
  tell.status(TaskState.TASK_STATE_INPUT_REQUIRED, "[tck-input-required] What next?");
};

const authRequired: Skill = (tell, words, signal) => {
  if (!words.startsWith("tck-")) return finished(text("[tck-auth-required] Authorised."))(tell, words, signal);
  tell.begin();
  tell.status(TaskState.TASK_STATE_AUTH_REQUIRED, "[tck-auth-required] Please log in.");
};

/** The behaviours that ACTS expects of an agent, by keyword (docs/conventions.md). They are not on the card. */
export const behaviours: Readonly<Record<string, Skill>> = {
  "tck-complete-task": ends(TaskState.TASK_STATE_COMPLETED, "[tck-complete-task] Done."),
  "tck-long-running": works(1_000),
  "tck-multi-turn": multiTurn,
  "tck-stream-basic": finished(text("[tck-stream-basic] One artifact.")),
  "tck-stream-chunked": (tell) => {
    tell.begin();
    tell.status(TaskState.TASK_STATE_WORKING);
    for (let chunk = 1; chunk <= 3; chunk++)
      tell.artifact("result", [text(`Chunk ${chunk}\n`)], { append: chunk > 1, lastChunk: chunk === 3 });
    tell.status(TaskState.TASK_STATE_COMPLETED);
  },
  "tck-message-response": (tell) => tell.message("[tck-message-response] A message, no task."),
  "tck-cancel": works(30_000),
  "tck-task-failure": ends(TaskState.TASK_STATE_FAILED, "[tck-task-failure] This task fails on purpose."),
  "tck-auth-required": authRequired,
  "tck-artifact-text": finished(text("[tck-artifact-text] Generated text.")),
  "tck-artifact-data": finished(part({ $case: "data", value: { key: "value", count: 42 } })),
  "tck-artifact-file": finished(part({ $case: "raw", value: Buffer.from("A document.\n") }, file)),
  "tck-artifact-file-url": finished(part({ $case: "url", value: "https://example.com/document.txt" }, file)),
  "tck-input-required": inputRequired,
  "tck-reject-task": ends(TaskState.TASK_STATE_REJECTED, "[tck-reject-task] This agent declines the task."),
  "tck-client-parse": async (tell) => {
    tell.begin();
    const parts = tell.asked.parts.map(({ content }) => content);
    const request = parts.find((content) => content?.$case === "data");
    tell.artifact("parsed", [part({ $case: "data", value: await readByClient(request?.value) })]);
    tell.status(TaskState.TASK_STATE_COMPLETED);
  },
};

/** Behaviours that a later message can continue. */
export const goesOn = [multiTurn, inputRequired, authRequired];
