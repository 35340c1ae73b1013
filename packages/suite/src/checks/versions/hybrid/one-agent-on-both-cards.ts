import { asList, asObject, asText, brief } from "../../../answers/reading.ts";
import { activeCheck } from "../../../define/check.ts";
import { broken, holds } from "../../../define/finding.ts";
import { bothCards } from "../../../observations/both-versions.ts";

type Card = Readonly<Record<string, unknown>>;

const skillsOf = (card: Card): string =>
  asList(card["skills"])
    .flatMap((skill) => asText(asObject(skill)?.["id"]) ?? [])
    .toSorted()
    .join(", ");

const claims = (card: Card, capability: string): boolean => asObject(card["capabilities"])?.[capability] === true;

/** What tells clients whom they talk to and what it can do, whatever version they speak. */
const facts: Readonly<Record<string, (card: Card) => unknown>> = {
  name: (card) => card["name"],
  version: (card) => card["version"],
  skills: skillsOf,
  "capabilities.streaming": (card) => claims(card, "streaming"),
  "capabilities.pushNotifications": (card) => claims(card, "pushNotifications"),
};

export const oneAgentOnBothCards = activeCheck({
  id: "V03-VER-005",
  title: "the cards for clients of 0.3 and of 1.0 describe the same agent",
  remedy: "Make both forms of the card from one description: the same name, version, capabilities and skills.",
  once: true,
  uses: { bothCards },
  judge({ bothCards: { newer, older } }) {
    for (const [member, read] of Object.entries(facts)) {
      const [now, before] = [read(newer.json), read(older.json)];
      if (now !== before)
        return broken(`${member} differs between the card for 0.3 and the one for 1.0`, {
          saw: `${brief(before)} in 0.3, ${brief(now)} in 1.0`,
          want: "the same",
          at: [older.exchange, newer.exchange],
        });
    }
    return holds();
  },
});
