import { asList, asObject } from "../answers/loose-json.ts";
import type { AgentFacts } from "./agent-facts.ts";

/** Limits for open-ended lists of a card, so that a run does not grow with them. */
export const cardCaps = {
  /** login schemes tried with made-up credentials */
  logins: 20,
  /** required extensions that requests declare */
  extensions: 50,
} as const;

/** Lists what exceeds the limits, one sentence each. */
export function beyondCaps({ card, extensions }: AgentFacts): string[] {
  const required = extensions.filter((each) => each.required).length;
  const requirements = asList(card["securityRequirements"]);
  const logins = new Set(requirements.flatMap((entry) => Object.keys(asObject(asObject(entry)?.["schemes"]) ?? {})))
    .size;
  return [
    ...(logins > cardCaps.logins
      ? [`The card lists ${logins} login schemes. Assay tries made-up credentials with the first ${cardCaps.logins}.`]
      : []),
    ...(required > cardCaps.extensions
      ? [`The card requires ${required} extensions. Requests declare the first ${cardCaps.extensions}.`]
      : []),
  ];
}
