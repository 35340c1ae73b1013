import { isAtRest, messageIn, taskIn } from "../answers/reading.ts";
import { Obstacle } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import { broughtAbout } from "../stimuli/brought-about.ts";
import type { LearnedPrompt } from "../stimuli/learned.ts";
import type { Stimulus } from "../stimuli/prompts.ts";
import { follow, type SentMessage } from "./sent-message.ts";

/** Sends a prompt to see what it brings about; one that is refused or not answered brings about nothing. */
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

/** What a message brought about: an answer with the task at rest tells itself how long it took. */
export const whatCameOf = (
  { call, message, task, last }: Omit<SentMessage, "got">,
  stimulus: Stimulus,
  observedMs: number,
): LearnedPrompt =>
  broughtAbout({
    stimulus,
    isMessage: message !== undefined,
    task: last ?? task,
    // What was repeated, or looked for where it is not kept, took longer to observe than to do.
    tookMs: task && last && !isAtRest(task.state) ? observedMs : call.exchange.timing.end,
  });
