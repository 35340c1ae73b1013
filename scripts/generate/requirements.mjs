import { parse } from "yaml";

/** Returns the words that `requires` of a rule may contain, with their meanings. */
export const requirementsIn = (yaml) => parse(yaml);

export const requirementsOf = (requirements) =>
  `\n/** What a rule can require, and what that means. */\nexport const requirements = ${JSON.stringify(requirements, null, 2)} as const;\n\nexport type Requirement = keyof typeof requirements;\n`;
