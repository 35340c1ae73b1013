import { cardCheck } from "../../define/check.ts";
import { breach, holds } from "../../define/finding.ts";

const standard = "/.well-known/agent.json";

/** Registries and direct configuration are as good as the recommended place; but clients of then looked only there. */
export const olderCardIsFound = cardCheck({
  id: "V02-CARD-001",
  title: "the card is where clients of that version look for it",
  remedy: `Serve the card at ${standard} (as well).`,
  judge(card) {
    const { pathname } = new URL(card.url);
    if (pathname.endsWith(standard)) return holds();
    if (card.given) return holds("the card was found at the address that was given for it");
    return breach(
      "other-location",
      `the card is not at ${standard}, where clients of versions before 0.3 look for it`,
      {
        saw: card.url,
        want: `the card at ${standard}`,
      },
    );
  },
});
