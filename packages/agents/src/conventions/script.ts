import type { SkillEvent, Turn } from "../definition/skill.ts";

/** One step of a scripted behaviour: emit an event, or wait. */
type Step = SkillEvent | Pause;
export type SkillScript = readonly Step[];

interface Pause {
  readonly is: "pause";
  readonly ms: number;
}

export const pause = (ms: number): Step => ({ is: "pause", ms });

/** Runs a script. Tests of other suites rely on its pauses, so time scaling does not shorten them. */
export async function* play(script: SkillScript, { clock, signal }: Turn): AsyncGenerator<SkillEvent, void, undefined> {
  for (const step of script) {
    if (step.is === "pause") await clock.sleep(step.ms, signal, step.ms);
    else yield step;
  }
}
