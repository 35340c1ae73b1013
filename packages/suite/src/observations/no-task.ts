import { type Obstacle, skipped } from "../obstacle.ts";
import type { PromptKind } from "../prompt-kind.ts";

/** What an agent answers with is its own affair, and another time it may be a task: whether it ever makes one is not known. */
export const noTask = (kind: PromptKind = "task"): Obstacle =>
  skipped(
    "prompt",
    "the agent answered with a message: it made no task in this run",
    `prompts.${kind} in assay.yaml: something that it makes a task of`,
  );
