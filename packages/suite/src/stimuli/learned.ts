import type { Part } from "@assay/protocol";
import type { PromptKind } from "../define/prompt-kind.ts";

/** Sources of prompts, most trusted first. */
export const promptSources = ["operator", "skill", "convention", "example", "plain"] as const;
export type PromptSource = (typeof promptSources)[number];

/** Kinds of responses to a message; `nothing` if it was refused or got no response. */
export const promptAnswers = ["task", "message", "nothing"] as const;
export type PromptAnswer = (typeof promptAnswers)[number];

/** A prompt and what it triggered in this run; in another run that may differ. */
export interface LearnedPrompt {
  /** as sent in the message */
  readonly parts: readonly Part[];
  readonly source: PromptSource;
  readonly answer: PromptAnswer;
  /** milliseconds until the response, or until the task was at rest */
  readonly tookMs: number;
  /** final state of the task */
  readonly state?: string;
  readonly artifacts?: number;
  /** messages in the history of the task */
  readonly history?: number;
  /** behaviours it is useful for */
  readonly shows: readonly PromptKind[];
}
