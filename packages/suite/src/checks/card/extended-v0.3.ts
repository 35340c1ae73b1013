import type { JsonObject } from "@assay/protocol";
import { isInternal, isRefusal, matches } from "../../answers/expect-error.ts";
import { asObject, brief, describeReply, errorOf, headerOf, jsonBodyOf, resultOf } from "../../answers/reading.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notExamined } from "../../define/finding.ts";
import { type ExtendedByGet, extendedByGet } from "../../observations/extended-by-get.ts";
import { extendedCardAsked } from "../../observations/extended-card.ts";
import { firstContact } from "../../observations/first-contact.ts";
import { showsNoMore } from "./extended.ts";
import { lintOf } from "./lint.ts";

/** Errors by which servers of 0.3 say that they have no such card (docs/spec/dialects.md §1.1). */
const sayings = ["ExtendedAgentCardNotConfigured", "UnsupportedOperation", "MethodNotFound"] as const;

/** The card over plain HTTP, as 0.2.1 to 0.2.6 have it. */
function gotten({ exchange }: ExtendedByGet["answers"][number]): JsonObject | undefined {
  const json = exchange.http.response?.status === 200 ? asObject(jsonBodyOf(exchange)) : undefined;
  // Some web applications answer every address with JSON of their own.
  return typeof json?.["name"] === "string" || Array.isArray(json?.["skills"]) ? json : undefined;
}

export const olderExtendedCardChecks: readonly Check[] = [
  activeCheck({
    id: "V03-XCARD-001",
    title: "an agent without an extended card gives none",
    remedy:
      "Answer agent/getAuthenticatedExtendedCard with -32007 while supportsAuthenticatedExtendedCard is not true.",
    uses: { firstContact, asked: extendedCardAsked },
    judge({ asked }, { facts }): Finding {
      const want = "error -32007, or another that says so";
      const details = { saw: describeReply(asked), want, at: asked };
      const card = asObject(resultOf(asked));
      const what = "agent/getAuthenticatedExtendedCard on an agent that announces no extended card";
      if (card) {
        if (showsNoMore(card, facts.card))
          return breach("public-card-again", `${what} is answered with the public card`, details);
        return broken(`${what} is answered with another card`, details);
      }
      if (asked.reply.is === "failure") return crashed(`${what} got no answer`, details);
      if (sayings.some((name) => matches(asked, name))) return holds();
      // The Python SDK says it as an internal error; that it is meant so shows in its words.
      const { reason, message } = errorOf(asked) ?? {};
      const isMeant = isInternal(asked) && /extended|not supported/i.test(`${reason} ${message}`);
      if (isInternal(asked) && !isMeant) return crashed(`${what} is answered with an internal error`, details);
      return isMeant || isRefusal(asked)
        ? breach("other-reason", `${what} is refused with an unusual error`, details)
        : broken(`${what} is answered with no error of the binding`, details);
    },
  }),

  activeCheck({
    id: "V02-XCARD-001",
    title: "an agent that announces an extended card gives it to those who authenticate",
    remedy: "Serve the extended card at {url}/../agent/authenticatedExtendedCard, or announce none.",
    uses: { seen: extendedByGet },
    judge({ seen: { answers } }): Finding {
      const [first] = answers;
      const found = answers.find((answer) => gotten(answer));
      const want = "HTTP 200 with an AgentCard";
      if (!first) return notExamined("not-triggered", "there is no address to ask at");
      if (found === first) return holds();
      if (found) {
        return breach(
          "other-location",
          "the extended card is not where the text has it, beside the address of the agent",
          {
            saw: found.url,
            want: first.url,
            at: found.exchange,
          },
        );
      }
      const refused = answers.find(({ exchange }) => [401, 403].includes(exchange.http.response?.status ?? 0));
      if (refused) {
        const because = `the credentials that were given are not those for it (HTTP ${refused.exchange.http.response?.status})`;
        return notExamined("credentials", because, "--bearer env:TOKEN, --api-key or --basic");
      }
      return broken("the card announces an extended card, and there is none", {
        saw: first.exchange.failure?.message ?? `HTTP ${first.exchange.http.response?.status} at ${first.url}`,
        want,
        at: first.exchange,
      });
    },
  }),

  activeCheck({
    id: "V02-XCARD-002",
    title: "the extended card is shown only to authenticated callers",
    remedy: "Answer GET agent/authenticatedExtendedCard without good credentials with HTTP 401 and WWW-Authenticate.",
    uses: { seen: extendedByGet },
    judge({ seen: { answers, withoutLogin } }, { facts }): Finding {
      const shown = withoutLogin.find((answer) => {
        const card = gotten(answer);
        // At an address of both cards the public one is shown to everybody.
        return card && !(answer.url.endsWith("/v1/card") && showsNoMore(card, facts.card));
      });
      if (shown) {
        return broken("the extended card is shown to a caller without credentials", {
          saw: `HTTP 200 at ${shown.url}`,
          want: "HTTP 401",
          at: shown.exchange,
        });
      }
      const index = answers.findIndex((answer) => gotten(answer));
      const refusal = (index < 0 ? withoutLogin[0] : withoutLogin[index])?.exchange;
      const status = refusal?.http.response?.status;
      if (!refusal || status === undefined || (index < 0 && status === 404))
        return notExamined("not-triggered", "there is no extended card to ask for");
      if (status >= 500) {
        const details = { saw: `HTTP ${status}`, want: "HTTP 401", at: refusal };
        return crashed("asking for the extended card without credentials makes the agent break down", details);
      }
      if (status !== 401 && status !== 403) {
        const details = { saw: `HTTP ${status}`, want: "HTTP 401", at: refusal };
        return breach(
          "other-reason",
          "the extended card is refused with something else than an authentication error",
          details,
        );
      }
      return status === 403 || headerOf(refusal, "www-authenticate") !== undefined
        ? holds()
        : breach("no-challenge", "who asks for the extended card does not learn how to authenticate", {
            saw: "a 401 without WWW-Authenticate",
            want: "WWW-Authenticate",
            at: refusal,
          });
    },
  }),

  activeCheck({
    id: "V02-XCARD-003",
    title: "the extended card is a complete card",
    remedy: "Return the whole AgentCard with every required member, not only what the public card lacks.",
    uses: { seen: extendedByGet },
    judge({ seen: { answers } }, { facts }): Finding {
      const found = answers.find((answer) => gotten(answer));
      const card = found && gotten(found);
      if (!card) return notExamined("not-triggered", "there is no extended card to look at");
      const missing = lintOf(card, facts).find(({ level, code }) => level === "error" && code === "missing");
      if (!missing) return holds();
      return broken("the extended card lacks members that every card must have", {
        saw: `${missing.path.replace(/^\$\./, "")} ${missing.message} in an object with ${brief(Object.keys(card).join(", "))}`,
        want: "every required member of AgentCard",
        at: found.exchange,
      });
    },
  }),
];
