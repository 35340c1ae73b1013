import { reply, skill } from "../definition/skill.ts";

export const messageOnly = skill({
  id: "message-only",
  name: "Message only",
  description: "Answers with a direct message; no task comes into being.",
  tags: ["message", "stateless"],
  examples: ["message-only hello"],

  async *run({ text }) {
    yield reply(`[message-only] You said: ${text}`);
  },
});
