import { brief } from "../../answers/reading.ts";
import { cardCheck } from "../../define/check.ts";
import { broken, type Finding, holds, notApplicable } from "../../define/finding.ts";
import { linted, unlessOlder } from "./lint.ts";

const want = "url: an absolute URL, https in production";

/** Whether the addresses of HTTP interfaces can be called. Plain http is a fault only where the operator says so. */
export const httpAddresses = cardCheck({
  id: "CARD-014",
  title: "the address of an HTTP interface is an absolute URL",
  remedy: "Write the `url` of the interface with scheme and host, as in https://agent.example/a2a.",
  judge(card) {
    const older = unlessOlder(card);
    if (older) return older;
    const overHttp = card.facts.declared.filter(({ binding }) => binding === "JSONRPC" || binding === "HTTP+JSON");
    if (overHttp.length === 0) return notApplicable("the card declares no interface over HTTP");
    const plain = overHttp.filter(({ url }) => /^http:/i.test(url));
    const inProduction: Finding[] =
      card.production && plain[0]
        ? [
            broken("an interface of a production deployment is at a plain http address", {
              saw: brief(plain[0].url),
              want,
            }),
          ]
        : [];
    return [...inProduction, ...linted(card, "CARD-014", want, { overlooked: "plain-http" }), holds()];
  },
});
