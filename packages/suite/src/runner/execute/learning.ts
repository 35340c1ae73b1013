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

/** The behaviours that a run has to learn, and its limits. */
export interface Lesson {
  /** the behaviours that planned observations need and that no known prompt triggers */
  readonly missing: readonly PromptKind[];
  readonly stimuli: Stimuli;
  /** in the order of the attempts */
  readonly candidates: readonly Candidate[];
  /** messages for the attempts, besides the plain one */
  readonly trials: number;
}

/** A task in this state shows none of the behaviours that tasks are observed for. */
const isInVain = (kind: PromptKind): boolean => kind === "failure" || kind === "rejected";

/** Sends the plain message, and tries other prompts for the behaviours that it does not show. */
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
    // An agent that rejects the plain message gets no other prompts.
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
