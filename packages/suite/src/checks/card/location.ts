import type { JsonObject } from "@assay/protocol";
import { asObject, asObjects, asText, brief } from "../../answers/loose-json.ts";
import { describeReply, isLogin, jsonBodyOf } from "../../answers/reading.ts";
import { activeCheck, cardCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { cardOverTlsSeen, getJson, otherCardsOnHost } from "../../observations/cards.ts";
import { firstContact } from "../../observations/first-contact.ts";
import { namedLogins } from "../../observations/login.ts";
import { unlessOlder } from "./lint.ts";

const standard = "/.well-known/agent-card.json";

/**
 * There is a card, or nothing would be judged. Registries and direct configuration are as good as the well-known place
 * (AMB-23); only a card that we came across at the place of older versions is one that 1.0 clients will not find.
 */
export const cardIsFound = cardCheck({
  id: "CARD-001",
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

const olderStandard = "/.well-known/agent.json";

/** Registries and direct configuration are as good as the recommended place; but clients of then looked only there. */
export const olderCardIsFound = cardCheck({
  id: "V02-CARD-001",
  judge(card) {
    const { pathname } = new URL(card.url);
    if (pathname.endsWith(olderStandard)) return holds();
    if (card.given) return holds("the card was found at the address that was given for it");
    return breach(
      "other-location",
      `the card is not at ${olderStandard}, where clients of versions before 0.3 look for it`,
      {
        saw: card.url,
        want: `the card at ${olderStandard}`,
      },
    );
  },
});

export const cardOverTls = activeCheck({
  id: "CARD-040",
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

/** A card that holds something sensitive is to be guarded, so that it is guarded is no fault; clients have to know. */
export const cardIsPublic = activeCheck({
  id: "V03-CARD-016",
  uses: {},
  once: true,
  withoutLogin: true,
  async judge(_seen, target) {
    const exchange = await getJson(target.as("anonymous")!, target.facts.cardUrl);
    const status = exchange.http.response?.status;
    if (status === 200) return holds();
    if (status !== 401 && status !== 403) return notExamined("unstable", "the card could not be asked for again");
    return broken("the card, which says how to log in, is only for those who have logged in", {
      saw: `HTTP ${status} without credentials`,
      want: "HTTP 200 with the card",
      at: exchange,
    });
  },
});

export const loginIsDeclared = activeCheck({
  id: "CARD-045",
  uses: { firstContact },
  // Whether unauthenticated calls are refused shows without credentials.
  requires: [],
  async judge(_seen, target) {
    const call = await target.as("anonymous")!.call("GetTask", { id: target.unknownId() });
    if (!isLogin(call)) return notApplicable("the agent answers without a login");
    const schemes = Object.keys(asObject(target.facts.card["securitySchemes"]) ?? {});
    if (schemes.length > 0) return holds();
    if (namedLogins(target.facts.card).length > 0) return holds("the card names its logins as 0.1 has it");
    return broken("unauthenticated calls are refused, and the card declares no security scheme", {
      saw: `${describeReply(call)}; securitySchemes: ${brief(target.facts.card["securitySchemes"])}`,
      want: "at least one scheme in securitySchemes",
      at: call,
    });
  },
});

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
  requires: ["expectation:otherCards"],
  once: true,
  uses: { otherCardsOnHost },
  judge({ otherCardsOnHost: others }, target) {
    if (others.length === 0) {
      const because = "no address of another card on the same host was given";
      return notExamined("prompt", because, "expectations.otherCards in assay.yaml");
    }
    return others.map(({ url, exchange }): Finding => {
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
  },
});
