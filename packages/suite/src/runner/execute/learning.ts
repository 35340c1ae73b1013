import { Obstacle } from "../../define/obstacle.ts";
import type { PromptKind } from "../../define/prompt-kind.ts";
import type { Target } from "../../define/target.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import { tryOut, whatCameOf } from "../../observations/trial.ts";
import { isDataInVain, withLearned } from "../../stimuli/brought-about.ts";
import type { Candidate } from "../../stimuli/candidates.ts";
import type { LearnedPrompt } from "../../stimuli/learned.ts";
import { asText } from "../../stimuli/parts.ts";
import type { Stimuli } from "../../stimuli/prompts.ts";

/** What a run wants to learn, and may spend on it. */
export interface Lesson {
  /** the behaviours that planned observations want, and no prompt is known for */
  readonly missing: readonly PromptKind[];
  readonly stimuli: Stimuli;
  /** in the order in which they are to be tried */
  readonly candidates: readonly Candidate[];
  /** messages for trying, beside the plain one */
  readonly trials: number;
}

/** A task that shows this has done nothing of what a task is looked at for. */
const isInVain = (kind: PromptKind): boolean => kind === "failure" || kind === "rejected";

/** Looks at what the plain message brings about, and tries other prompts for what it does not. */
export async function learn(
  target: Target,
  { missing, stimuli, candidates, trials }: Lesson,
): Promise<LearnedPrompt[]> {
  const learned: LearnedPrompt[] = [];
  const plain = stimuli.task;
  if (!plain) return learned;
  try {
    const startedAt = target.now();
    const seen = await target.observe(sentMessage);
    learned.push(whatCameOf(seen, plain, target.now() - startedAt));
  } catch (error) {
    // An agent that does not take the plain message is judged by that, and asked nothing else before.
    if (error instanceof Obstacle) return learned;
    throw error;
  }
  const madeTask = (): boolean => learned.some(({ answer, shows }) => answer === "task" && !shows.some(isInVain));
  for (const candidate of candidates) {
    const known = withLearned(stimuli, learned);
    const wanted: readonly PromptKind[] = [
      ...(madeTask() ? [] : ["task" as const]),
      ...missing.filter((kind) => !known[kind]),
    ];
    if (learned.length > trials) break;
    const said = isDataInVain(learned) ? { ...candidate, parts: asText(candidate.parts) } : candidate;
    if (said.hopedFor.some((kind) => wanted.includes(kind))) learned.push(await tryOut(target, said));
  }
  return learned;
}
