import { asList, asObject, asText, brief } from "../answers/loose-json.ts";

type Card = Readonly<Record<string, unknown>>;

const skillsOf = (card: Card): string =>
  asList(card["skills"])
    .flatMap((skill) => asText(asObject(skill)?.["id"]) ?? [])
    .toSorted()
    .join(", ");

const claims = (card: Card, capability: string): boolean => asObject(card["capabilities"])?.[capability] === true;

/** Facts that clients of any version need: who the agent is and what it can do. */
const facts: Readonly<Record<string, (card: Card) => unknown>> = {
  name: (card) => card["name"],
  version: (card) => card["version"],
  skills: skillsOf,
  "capabilities.streaming": (card) => claims(card, "streaming"),
  "capabilities.pushNotifications": (card) => claims(card, "pushNotifications"),
};

/** A fact that differs between the cards for two versions. */
export interface CardDifference {
  readonly member: string;
  /** the values, as text */
  readonly older: string;
  readonly newer: string;
}

/** Returns the first fact that differs between the card for older clients and the one for 1.0. */
export function cardDifference(older: Card, newer: Card): CardDifference | undefined {
  for (const [member, read] of Object.entries(facts)) {
    const [before, now] = [read(older), read(newer)];
    if (before !== now) return { member, older: brief(before), newer: brief(now) };
  }
  return undefined;
}
