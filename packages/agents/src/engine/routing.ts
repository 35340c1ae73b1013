import type { Message } from "@assay/protocol";
import type { Convention } from "../definition/agent.ts";
import { reply, type Skill, skill, textOf } from "../definition/skill.ts";

/** Selects the skill that answers a message, and the rest of its text. */
type Route = (message: Message) => { skill: Skill; argument: string };

interface RoutingOptions {
  /** available, but not listed for messages without a keyword */
  readonly secret?: readonly Skill[];
  /** tried in this order, before any keyword */
  readonly conventions?: readonly Convention[];
  /** answers messages without a keyword (default: lists the keywords) */
  readonly otherwise?: Skill;
}

/**
 * Selects the skill for the first message of a task. When the task continues, the engine asks again with that
 * message, so a follow-up reaches the same skill. The order is: conventions of other suites, the keyword at
 * the start of the text (ignoring case and leading space), the list of keywords.
 */
export function routeBy(skills: readonly Skill[], options: RoutingOptions = {}): Route {
  const { secret = [], conventions = [], otherwise: fallback = keywordList(skills) } = options;
  const known = new Map([...skills, ...secret].map((entry) => [entry.id, entry]));
  return (message) => {
    const text = textOf(message).trimStart();
    for (const convention of conventions) {
      const chosen = convention.choose(message);
      if (chosen) return { skill: chosen, argument: text };
    }
    const keyword = /^[a-z][a-z-]*(?![\w-])/i.exec(text)?.[0] ?? "";
    const found = known.get(keyword.toLowerCase());
    return found ? { skill: found, argument: text.slice(keyword.length).trim() } : { skill: fallback, argument: text };
  };
}

/** Routes for agents without conventions of other suites. */
export const byKeyword = (skills: readonly Skill[], secret: readonly Skill[] = []): Route =>
  routeBy(skills, { secret });

const keywordList = (skills: readonly Skill[]): Skill =>
  skill("help", {
    name: "Help",
    description: "Lists the keywords.",
    tags: ["help"],
    examples: [],

    async *run() {
      yield reply(`Start your message with one of: ${skills.map(({ id }) => id).join(", ")}`);
    },
  });
