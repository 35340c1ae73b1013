import { activeCheck } from "../../define/check.ts";
import { broken, holds } from "../../define/finding.ts";
import { cardOverTlsSeen } from "../../observations/card-over-tls.ts";

export const cardOverTls = activeCheck({
  id: "CARD-040",
  title: "the card of a production deployment can be had over https",
  remedy: "Serve the card over https, and let plain http redirect there.",
  uses: { seen: cardOverTlsSeen },
  once: true,
  judge({ seen: { found, tried } }, target) {
    if (found) return holds();
    if (tried.some(({ isCard }) => isCard)) return holds("the card was found over plain http, and https has it too");
    return broken("the card of a production deployment is served over plain http only", {
      saw: target.facts.cardUrl,
      want: "the card over https",
      at: tried.map(({ exchange }) => exchange),
    });
  },
});
