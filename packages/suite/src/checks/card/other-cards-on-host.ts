import type { JsonObject } from "@assay/protocol";
import { asObject, asObjects, asText, brief, jsonBodyOf } from "../../answers/reading.ts";
import { activeCheck } from "../../define/check.ts";
import { broken, type Finding, holds, notExamined } from "../../define/finding.ts";
import { otherCardsOnHost } from "../../observations/other-cards-on-host.ts";

/** By what a client tells agents apart: what they are called, and where they are reached. */
const identityOf = (card: JsonObject): string =>
  JSON.stringify([
    asText(card["name"]),
    asObjects(card["supportedInterfaces"])
      .map(({ url, tenant }) => JSON.stringify([url, tenant]))
      .toSorted(),
  ]);

export const neighboursHaveTheirOwn = activeCheck({
  id: "CARD-043",
  title: "each agent on a host has a card of its own",
  remedy: "Serve the card of each agent at an address of its own, such as <path>/.well-known/agent-card.json.",
  requires: ["expectation:otherCards"],
  once: true,
  uses: { otherCardsOnHost },
  judge({ otherCardsOnHost: others }, target) {
    if (others.length === 0) {
      const because = "no address of another card on the same host was given";
      return notExamined("prompt", because, "expectations.otherCards in assay.yaml");
    }
    const findings = others.map(({ url, exchange }): Finding => {
      const status = exchange.http.response?.status;
      if (status === undefined || status === 401 || status === 403 || status >= 500)
        return notExamined("unstable", `the card at ${url} is not to be had (${status ?? exchange.failure?.message})`);
      const card = status === 200 ? asObject(jsonBodyOf(exchange)) : undefined;
      if (!card) {
        return broken("there is no card where another agent on the host has its own", {
          saw: `HTTP ${status} at ${url}`,
          want: "an AgentCard",
          at: exchange,
        });
      }
      if (identityOf(card) !== identityOf(target.facts.card)) return holds();
      return broken("another agent on the host has the same card", {
        saw: `name ${brief(card["name"])} and the same interfaces at ${url}`,
        want: "another name, or other interfaces",
        at: exchange,
      });
    });
    return findings;
  },
});
