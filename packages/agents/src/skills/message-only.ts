import { reply, skill } from "../definition/skill.ts";

export const messageOnly = skill("message-only", {
  name: "Message only",
  description: "Replies with a direct message and creates no task.",
  tags: ["message", "stateless"],
  examples: ["message-only hello"],

  *run({ text }) {
    yield reply(`[message-only] You said: ${text}`);
  },
});
