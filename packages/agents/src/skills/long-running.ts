import { artifact, skill, status } from "../definition/skill.ts";

const steps = 5;

export const longRunning = skill("long-running", {
  name: "Long-running",
  description: "Works in five steps of two seconds, each with its own status message and artifact.",
  tags: ["task", "long-running"],
  examples: ["long-running go"],

  async *run({ clock, signal }) {
    for (let step = 1; step <= steps; step++) {
      yield status("working", `[long-running] Step ${step} of ${steps}`);
      await clock.sleep(2_000, signal);
      yield artifact(`step-${step}`, `[long-running] Result of step ${step}`, { last: true });
    }
    yield status("completed", "[long-running] All steps done.");
  },
});
