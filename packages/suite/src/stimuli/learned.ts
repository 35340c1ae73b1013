import type { Part } from "@assay/protocol";
import type { PromptKind } from "../define/prompt-kind.ts";

/** Where a prompt comes from: the rungs of the ladder, from the top. */
export const promptSources = ["operator", "skill", "convention", "example", "plain"] as const;
export type PromptSource = (typeof promptSources)[number];

/** What a message was answered with; `nothing` where it was refused, or not answered. */
export const promptAnswers = ["task", "message", "nothing"] as const;
export type PromptAnswer = (typeof promptAnswers)[number];

/** What a prompt brought about when it was sent in this run: another time it may be something else. */
export interface LearnedPrompt {
  /** as the message said it */
  readonly parts: readonly Part[];
  readonly source: PromptSource;
  readonly answer: PromptAnswer;
  /** milliseconds until the answer, or until the task was at rest */
  readonly tookMs: number;
  /** of the task, at the end */
  readonly state?: string;
  readonly artifacts?: number;
  /** messages in the history of the task */
  readonly history?: number;
  /** the behaviours that it is good for */
  readonly shows: readonly PromptKind[];
}
