import { artifact, skill, status } from "../definition/skill.ts";

export const slow = skill("slow", {
  name: "Slow",
  description: "Works for <seconds>, then completes with an artifact.",
  tags: ["task", "slow"],
  examples: ["slow 3"],

  async *run({ argument, clock, signal }) {
    const seconds = Math.min(Number(/^\d{1,12}(?:\.\d{1,3})?/.exec(argument)?.[0] ?? 1), 600);
    yield status("working", `[slow] Working for ${seconds} s`);
    // At least 300 ms, whatever the time scale: clients use it to catch a working task.
    await clock.sleep(seconds * 1_000, signal, Math.min(300, seconds * 1_000));
    yield artifact("result", `[slow] Done after ${seconds} s`, { last: true });
    yield status("completed");
  },
});
