import { isAtRest, messageIn, taskIn } from "../answers/reading.ts";
import { Obstacle } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import { broughtAbout } from "../stimuli/brought-about.ts";
import type { LearnedPrompt } from "../stimuli/learned.ts";
import type { Stimulus } from "../stimuli/prompts.ts";
import { follow, type SentMessage } from "./sent-message.ts";

/** Sends a prompt to see what it triggers. A rejected or unanswered one triggers nothing. */
export async function tryOut(target: Target, stimulus: Stimulus): Promise<LearnedPrompt> {
  const startedAt = target.now();
  try {
    const call = await target.send("task", {
      parts: stimulus.parts,
      configuration: { returnImmediately: true },
    });
    const task = taskIn(call);
    const last = task && (await follow(target, task)).last;
    return whatCameOf({ call, message: messageIn(call), task, last }, stimulus, target.now() - startedAt);
  } catch (error) {
    if (!(error instanceof Obstacle)) throw error;
    return broughtAbout({ stimulus, isMessage: false, task: undefined, tookMs: target.now() - startedAt });
  }
}

/** Describes what a message triggered. A response with the task at rest shows the duration itself. */
export const whatCameOf = (
  { call, message, task, last }: Omit<SentMessage, "got">,
  stimulus: Stimulus,
  observedMs: number,
): LearnedPrompt =>
  broughtAbout({
    stimulus,
    isMessage: message !== undefined,
    task: last ?? task,
    // With retries or purged tasks, the observation takes longer than the task.
    tookMs: task && last && !isAtRest(task.state) ? observedMs : call.exchange.timing.end,
  });
