import type { Message } from "@assay/protocol";
import type { Convention } from "../definition/agent.ts";
import { reply, type Skill, skill, textOf } from "../definition/skill.ts";

/** The skill that answers a message, and what is left of its text for it. */
type Route = (message: Message) => { skill: Skill; argument: string };

interface RoutingOptions {
  /** answered to, but not named to those who use no keyword */
  readonly secret?: readonly Skill[];
  /** asked in this order, before any keyword is looked for */
  readonly conventions?: readonly Convention[];
  /** answers whatever no keyword claims; a list of the keywords, unless given */
  readonly otherwise?: Skill;
}

/**
 * Chooses the skill for the first message of a task; the engine asks again with that message when the task goes
 * on, so a follow-up reaches the skill it is talking to. First come the conventions of other suites, then the
 * skill whose keyword opens the text (case and leading space do not matter), then what is said otherwise: the list of keywords.
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

/** Routing for agents that know no suite but their own. */
export const byKeyword = (skills: readonly Skill[], secret: readonly Skill[] = []): Route =>
  routeBy(skills, { secret });

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
