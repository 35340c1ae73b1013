import type { SkillEvent, Turn } from "../definition/skill.ts";

/** One step of a behaviour that is mere data: say something, or let time pass. */
type Step = SkillEvent | Pause;
export type SkillScript = readonly Step[];

interface Pause {
  readonly is: "pause";
  readonly ms: number;
}

export const pause = (ms: number): Step => ({ is: "pause", ms });

/** Plays a script. A pause is what the test of another suite relies on, so scaling time does not shorten it. */
export async function* play(script: SkillScript, { clock, signal }: Turn): AsyncGenerator<SkillEvent, void, undefined> {
  for (const step of script) {
    if (step.is === "pause") await clock.sleep(step.ms, signal, step.ms);
    else yield step;
  }
}
