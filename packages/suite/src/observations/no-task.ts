import { type Finding, notExamined } from "../define/finding.ts";
import { type Obstacle, skipped } from "../define/obstacle.ts";
import type { PromptKind } from "../define/prompt-kind.ts";

/** A task that a stream shows later does not make this sentence wrong. */
const answered = "the agent answered SendMessage with a message, not with a task";

const enabledBy = (kind: PromptKind): string => `prompts.${kind} in assay.yaml`;

/** The agent may make a task for another prompt. */
export const noTask = (kind: PromptKind = "task"): Obstacle => skipped("prompt", answered, enabledBy(kind));

/** The same as the finding of a check. */
export const noTaskSent = (): Finding => notExamined("prompt", answered, enabledBy("task"));

/** At the end of a run, when it is known whether a stream has shown a task. */
export const noTaskInRun = (hasStreamed: boolean): Finding =>
  notExamined("prompt", `the agent made no task ${hasStreamed ? "outside streams" : "in this run"}`, enabledBy("task"));
