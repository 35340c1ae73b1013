import type { Message } from "@assay/protocol";
import { reply, type Skill, skill, textOf } from "./define.ts";

/** Chooses the skill whose keyword opens the text; case and leading space do not matter. */
export function byKeyword(
  skills: readonly Skill[],
  secret: readonly Skill[] = [],
): (message: Message) => { skill: Skill; argument: string } {
  const known = new Map([...skills, ...secret].map((entry) => [entry.id, entry]));
  const fallback = keywordList(skills);
  return (message) => {
    const text = textOf(message).trimStart();
    const keyword = /^[a-z][a-z-]*(?![\w-])/i.exec(text)?.[0] ?? "";
    const found = known.get(keyword.toLowerCase());
    return found ? { skill: found, argument: text.slice(keyword.length).trim() } : { skill: fallback, argument: text };
  };
}

const keywordList = (skills: readonly Skill[]): Skill =>
  skill({
    id: "help",
    name: "Help",
    description: "Lists the keywords.",
    tags: ["help"],
    examples: [],

    async *run() {
      yield reply(`Start your message with one of: ${skills.map(({ id }) => id).join(", ")}`);
    },
  });
