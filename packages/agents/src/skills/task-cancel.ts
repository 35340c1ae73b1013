import { skill, status } from "../definition/skill.ts";

export const taskCancel = skill("task-cancel", {
  name: "Task cancel",
  description: "Works for up to 30 seconds so that it can be canceled; completes otherwise.",
  tags: ["task", "cancel"],
  examples: ["task-cancel start"],

  async *run({ clock, signal }) {
    yield status("working", "[task-cancel] Waiting to be canceled.");
    try {
      await clock.sleep(30_000, signal);
    } catch {
      // Emitted before returning: a subscriber must see the end as an event, not as a dropped
      // stream.
      return yield status("canceled", "[task-cancel] Canceled on request.");
    }
    yield status("completed", "[task-cancel] Nobody canceled.");
  },
});
