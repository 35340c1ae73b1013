import { cardCheck } from "../../define/check.ts";
import { breach, holds } from "../../define/finding.ts";
import { unlessOlder } from "./lint.ts";

const standard = "/.well-known/agent-card.json";

/**
 * There is a card, or nothing would be judged. Registries and direct configuration are as good as the well-known place
 * (AMB-23); only a card that we came across at the place of older versions is one that 1.0 clients will not find.
 */
export const cardIsFound = cardCheck({
  id: "CARD-001",
  title: "the card can be found",
  remedy: `Serve the card at ${standard}.`,
  judge(card) {
    const older = unlessOlder(card);
    if (older) return older;
    const { pathname } = new URL(card.url);
    if (pathname.endsWith(standard)) return holds();
    if (card.given) return holds("the card was found at the address that was given for it");
    if (!pathname.endsWith("/.well-known/agent.json")) return holds(`the card was found at ${pathname}`);
    return breach(
      "older-location",
      "the card is served only at /.well-known/agent.json, where versions before 0.3 had it",
      { saw: card.url, want: `the card at ${standard}` },
    );
  },
});
