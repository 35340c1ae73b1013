import type { JsonObject, Message, Part, Task, TaskState } from "@assay/protocol";
import type { Clock } from "./clock.ts";

/** What a skill says. The engine adds ids and times, introduces the task, keeps it, and tells the clients. */
export type SkillEvent =
  | { readonly is: "message"; readonly parts: Part[] }
  | { readonly is: "status"; readonly state: TaskState; readonly parts?: Part[] }
  | {
      readonly is: "artifact";
      readonly name: string;
      /** its name, unless it has to differ from that */
      readonly id?: string;
      readonly parts: Part[];
      readonly append: boolean;
      readonly lastChunk: boolean;
      readonly description?: string;
    };

/** One turn of a conversation, as a skill sees it. */
export interface Turn {
  readonly message: Message;
  /** the text behind the keyword that chose the skill; the whole text in a follow-up */
  readonly argument: string;
  /** the whole text of the message */
  readonly text: string;
  /** the task so far, when this message continues one */
  readonly task?: Task;
  /** what the user decided on the page of the task, where that is why the skill goes on */
  readonly authorisation?: UserDecision;
  /** the page where the user decides, apart from A2A: from the first word of the skill on, where there are such pages */
  readonly authorisationUrl?: string | undefined;
  /** aborted when the client cancels the task */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** the other tasks of the same context, the oldest first */
  earlier(): Promise<readonly Task[]>;
  /** asks another agent, as an A2A client would */
  readonly relay: Relay;
}

/** Whether the agent may do what it asked for. */
export type UserDecision = "given" | "declined";

export type Relay = (cardUrl: string, text: string, signal: AbortSignal) => Promise<string>;

export interface Skill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: string[];
  readonly examples: string[];
  readonly inputModes?: string[];
  readonly outputModes?: string[];
  run(turn: Turn): AsyncGenerator<SkillEvent, void, undefined>;
}

export const skill = (definition: Skill): Skill => definition;

const states = {
  submitted: "TASK_STATE_SUBMITTED",
  working: "TASK_STATE_WORKING",
  completed: "TASK_STATE_COMPLETED",
  failed: "TASK_STATE_FAILED",
  canceled: "TASK_STATE_CANCELED",
  "input-required": "TASK_STATE_INPUT_REQUIRED",
  rejected: "TASK_STATE_REJECTED",
  "auth-required": "TASK_STATE_AUTH_REQUIRED",
} as const satisfies Record<string, TaskState>;

export function status(state: keyof typeof states, text?: string): SkillEvent {
  return text === undefined
    ? { is: "status", state: states[state] }
    : { is: "status", state: states[state], parts: [{ text }] };
}

export const reply = (text: string): SkillEvent => ({ is: "message", parts: [{ text }] });

/** A named artifact, whole or in chunks: `append` adds to the one of that name, `last` closes it. */
export function artifact(
  name: string,
  content: string | Part[],
  { append = false, last = false, ...more }: ArtifactMore = {},
): SkillEvent {
  const parts = typeof content === "string" ? [{ text: content }] : content;
  return { is: "artifact", name, parts, append, lastChunk: last, ...more };
}

interface ArtifactMore {
  readonly id?: string;
  readonly append?: boolean;
  readonly last?: boolean;
  readonly description?: string;
}

export const textOf = (message: Message): string => {
  for (const part of message.parts) if (part.text !== undefined) return part.text;
  return "";
};

/** The whole number at a place of a skill's argument, bounded; the fallback when there is none. */
export function numberAt(argument: string, index: number, fallback: number, most: number): number {
  const word = argument.split(/\s+/).filter(Boolean)[index] ?? "";
  return /^\d{1,12}$/.test(word) ? Math.min(Number(word), most) : fallback;
}

/** An extension that an agent declares; `apply` adds to the metadata of what the agent says while it is active. */
export interface Extension {
  readonly uri: string;
  readonly description: string;
  readonly required: boolean;
  metadata(now: number, startedAt: number): JsonObject;
}
