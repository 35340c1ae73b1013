import { artifact, skill, status } from "../definition/skill.ts";

export const authRequired = skill("auth-required", {
  name: "Auth required",
  description: "Pauses to ask for an authorisation. A follow-up message grants it, unless it declines.",
  tags: ["task", "auth-required"],
  examples: ["auth-required book it"],

  async *run({ task, text }) {
    if (task && /^\s*no\b/i.test(text)) return yield status("canceled", "[auth-required] Not authorised, so not done.");
    yield status("working");
    if (!task) {
      return yield status("auth-required", "[auth-required] Authorise this agent, then send any message to go on.");
    }
    yield artifact("receipt", "[auth-required] Authorised and done.", { last: true });
    yield status("completed");
  },
});
