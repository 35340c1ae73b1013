import type { JsonObject, Message, Part, Task, TaskState } from "@assay/protocol";
import type { Clock } from "./clock.ts";

/** An event of a skill. The engine adds ids and times, creates the task, stores it and notifies clients. */
export type SkillEvent =
  | { readonly is: "message"; readonly parts: Part[] }
  | { readonly is: "status"; readonly state: TaskState; readonly parts?: Part[] }
  | {
      readonly is: "artifact";
      readonly name: string;
      /** the artifact id (default: its name) */
      readonly id?: string;
      readonly parts: Part[];
      readonly append: boolean;
      readonly lastChunk: boolean;
      readonly description?: string;
    };

/** One turn of a conversation, as a skill sees it. */
export interface Turn {
  readonly message: Message;
  /** the text after the keyword that selected the skill; the whole text in a follow-up */
  readonly argument: string;
  /** the whole text of the message */
  readonly text: string;
  /** the task so far, if this message continues one */
  readonly task?: Task;
  /** the user's decision on the authorisation page, if the skill continues because of it */
  readonly authorisation?: UserDecision;
  /**
   * the page where the user decides, outside A2A; set from the skill's first event on, if there are such
   * pages
   */
  readonly authorisationUrl?: string | undefined;
  /** the client has canceled the task; for a skill that never waits, this costs less than the signal */
  readonly canceled: boolean;
  /** aborted when the client cancels the task */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** the other tasks of the same context, oldest first */
  earlier(): Promise<readonly Task[]>;
  /** asks another agent, as an A2A client */
  readonly relay: Relay;
}

/** The user's decision about an authorisation request. */
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
  run(turn: Turn): SkillEvents;
}

/** The events of a skill. A skill that never waits can be a plain generator, which costs much less. */
export type SkillEvents = AsyncGenerator<SkillEvent, void, undefined> | Generator<SkillEvent, void, undefined>;

export const skill = (id: string, definition: Omit<Skill, "id">): Skill => ({ id, ...definition });

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

/** Makes a named artifact, whole or in chunks: `append` adds to the one of that name, `last` closes it. */
export function artifact(
  name: string,
  content: string | Part[],
  { append = false, last = false, id, description }: ArtifactMore = {},
): SkillEvent {
  const parts = typeof content === "string" ? [{ text: content }] : content;
  const event = { is: "artifact", name, parts, append, lastChunk: last } as const;
  if (id === undefined && description === undefined) return event;
  return { ...event, ...(id === undefined ? {} : { id }), ...(description === undefined ? {} : { description }) };
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

/** Returns the whole number at a position of a skill's argument, within bounds, or the fallback. */
export function numberAt(argument: string, index: number, fallback: number, most: number): number {
  const word = argument.split(/\s+/).filter(Boolean)[index] ?? "";
  return /^\d{1,12}$/.test(word) ? Math.min(Number(word), most) : fallback;
}

/**
 * An extension that an agent declares. While it is active, `apply` adds metadata to the agent's messages and
 * artifacts.
 */
export interface Extension {
  readonly uri: string;
  readonly description: string;
  readonly required: boolean;
  metadata(now: number, startedAt: number): JsonObject;
}
