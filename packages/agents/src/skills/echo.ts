import { reply, skill } from "../definition/skill.ts";

export const echo = skill("echo", {
  name: "Echo",
  description: "Replies to every message with its own text.",
  tags: ["echo"],
  examples: ["hello"],

  async *run({ text }) {
    yield reply(`Echo: ${text}`);
  },
});
