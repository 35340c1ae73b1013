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
 * Without a card, nothing is judged. Registries and direct configuration are fine too (AMB-23). Only a card at the
 * place of older versions is invisible to 1.0 clients.
 */
export const cardIsFound = cardCheck("CARD-001", {
  judge(card) {
    const older = unlessOlder(card);
    if (older) return older;
    const { pathname } = new URL(card.url);
    if (pathname.endsWith(standard)) return holds();
    if (card.given) return holds("Assay found the card at the given address");
    if (!pathname.endsWith("/.well-known/agent.json")) return holds(`Assay found the card at ${pathname}`);
    return breach(
      "older-location",
      "the card is served only at /.well-known/agent.json, the path of versions before 0.3",
      { saw: card.url, want: `the card at ${standard}` },
    );
  },
});

const olderStandard = "/.well-known/agent.json";

/** Registries and direct configuration are fine too, but older clients look only at the recommended place. */
export const olderCardIsFound = cardCheck("V02-CARD-001", {
  judge(card) {
    const { pathname } = new URL(card.url);
    if (pathname.endsWith(olderStandard)) return holds();
    if (card.given) return holds("Assay found the card at the given address");
    return breach("other-location", `the card is not at ${olderStandard}, where clients before 0.3 look for it`, {
      saw: card.url,
      want: `the card at ${olderStandard}`,
    });
  },
});

export const cardOverTls = activeCheck("CARD-040", {
  uses: { seen: cardOverTlsSeen },
  once: true,
  judge({ seen: { found, tried } }, target) {
    if (found) return holds();
    if (tried.some(({ isCard }) => isCard)) return holds("the agent serves the card over both plain http and https");
    return broken("a production deployment serves its card over plain http only", {
      saw: target.facts.cardUrl,
      want: "the card over https",
      at: tried.map(({ exchange }) => exchange),
    });
  },
});

/** An agent may protect a card with sensitive data, but clients have to know. */
export const cardIsPublic = activeCheck("V03-CARD-016", {
  once: true,
  withoutLogin: true,
  async judge(_seen, target) {
    const exchange = await getJson(target.as("anonymous")!, target.facts.cardUrl);
    const status = exchange.http.response?.status;
    if (status === 200) return holds();
    if (status !== 401 && status !== 403) return notExamined("unstable", "the card could not be fetched again");
    return broken("the card, which says how to authenticate, requires authentication", {
      saw: `HTTP ${status} without credentials`,
      want: "HTTP 200 with the card",
      at: exchange,
    });
  },
});

export const loginIsDeclared = activeCheck("CARD-045", {
  uses: { firstContact },
  // The check needs no credentials to see whether unauthenticated calls are refused.
  requires: [],
  async judge(_seen, target) {
    const call = await target.as("anonymous")!.call("GetTask", { id: target.unknownId() });
    if (!isLogin(call)) return notApplicable("the agent requires no authentication");
    const schemes = Object.keys(asObject(target.facts.card["securitySchemes"]) ?? {});
    if (schemes.length > 0) return holds();
    if (namedLogins(target.facts.card).length > 0) return holds("the card lists its login schemes in the form of 0.1");
    return broken("the agent requires authentication, but its card declares no security scheme", {
      saw: `${describeReply(call)}; securitySchemes: ${brief(target.facts.card["securitySchemes"])}`,
      want: "at least one scheme in securitySchemes",
      at: call,
    });
  },
});

/** Identifies an agent by its name and addresses. */
const identityOf = (card: JsonObject): string =>
  JSON.stringify([
    asText(card["name"]),
    asObjects(card["supportedInterfaces"])
      .map(({ url, tenant }) => JSON.stringify([url, tenant]))
      .toSorted(),
  ]);

export const neighboursHaveTheirOwn = activeCheck("CARD-043", {
  requires: ["expectation:otherCards"],
  once: true,
  uses: { otherCardsOnHost },
  judge({ otherCardsOnHost: others }, target) {
    if (others.length === 0) {
      const because = "no other card on the same host is configured";
      return notExamined("prompt", because, "expectations.otherCards in assay.yaml");
    }
    return others.map(({ url, exchange }): Finding => {
      const status = exchange.http.response?.status;
      if (status === undefined || status === 401 || status === 403 || status >= 500)
        return notExamined("unstable", `the card at ${url} is not available (${status ?? exchange.failure?.message})`);
      const card = status === 200 ? asObject(jsonBodyOf(exchange)) : undefined;
      if (!card) {
        return broken("the configured address of another agent has no card", {
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
