import { asList, asObject } from "../answers/loose-json.ts";
import type { AgentFacts } from "./agent-facts.ts";

/** How much of what a card may list without end is made use of, so that a run does not grow with its card. */
export const cardCaps = {
  /** ways to log in that are tried with made-up credentials */
  logins: 20,
  /** extensions that are declared in a request because the card requires them */
  extensions: 50,
} as const;

/** What of a card is beyond them, each in a sentence. */
export function beyondCaps({ card, extensions }: AgentFacts): string[] {
  const required = extensions.filter((each) => each.required).length;
  const requirements = asList(card["securityRequirements"]);
  const logins = new Set(requirements.flatMap((entry) => Object.keys(asObject(asObject(entry)?.["schemes"]) ?? {})))
    .size;
  return [
    ...(logins > cardCaps.logins
      ? [`The card names ${logins} schemes to log in by; made-up logins are tried with the first ${cardCaps.logins}.`]
      : []),
    ...(required > cardCaps.extensions
      ? [`The card requires ${required} extensions; requests declare the first ${cardCaps.extensions}.`]
      : []),
  ];
}
