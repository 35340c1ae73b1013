import type { Role, TaskState } from "../model.ts";

/** State names before 1.0. `unknown` means that the state is not known; 1.0 calls it unspecified and forbids it. */
const words = {
  TASK_STATE_UNSPECIFIED: "unknown",
  TASK_STATE_SUBMITTED: "submitted",
  TASK_STATE_WORKING: "working",
  TASK_STATE_COMPLETED: "completed",
  TASK_STATE_FAILED: "failed",
  TASK_STATE_CANCELED: "canceled",
  TASK_STATE_INPUT_REQUIRED: "input-required",
  TASK_STATE_REJECTED: "rejected",
  TASK_STATE_AUTH_REQUIRED: "auth-required",
} as const satisfies Record<TaskState, string>;

export type StateWord = (typeof words)[TaskState];
export type RoleWord = "user" | "agent";

const states = Object.fromEntries(Object.entries(words).map(([state, word]) => [word, state])) as Record<
  StateWord,
  TaskState
>;

/** Returns true for the states of the schema, and for the unspecified one. */
export const isTaskState = (text: string): text is TaskState => Object.hasOwn(words, text);

export const readState = (word: StateWord): TaskState => states[word];
export const writeState = (state: TaskState): StateWord => words[state];

export const readRole = (word: RoleWord): Role => (word === "user" ? "ROLE_USER" : "ROLE_AGENT");
/** `ROLE_UNSPECIFIED` has no older form; SDKs write `agent`. */
export const writeRole = (role: Role): RoleWord => (role === "ROLE_USER" ? "user" : "agent");
