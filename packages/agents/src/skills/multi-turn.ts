import { artifact, skill, status } from "../definition/skill.ts";

export const multiTurn = skill("multi-turn", {
  name: "Multi-turn",
  description:
    'Asks for more input after every message. A message that contains "done" completes the task with an artifact.',
  tags: ["task", "conversation", "input-required"],
  examples: ["multi-turn start", "done"],

  async *run({ task, text }) {
    if (!task) return yield status("input-required", '[multi-turn] What next? Say "done" to finish.');
    if (!/done/i.test(text)) {
      return yield status("input-required", `[multi-turn] Noted: ${text}. What next? Say "done" to finish.`);
    }
    const said = (task.history ?? []).filter(({ role }) => role === "ROLE_USER").length;
    yield status("working");
    yield artifact("final", `[multi-turn] Finished after ${said} messages.`, { last: true });
    yield status("completed");
  },
});
