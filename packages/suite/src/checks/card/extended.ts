import { errorTable, type JsonObject } from "@assay/protocol";
import { hasMeaning } from "../../answers/error-names.ts";
import { expectError, isInternal, isRefusal, matches } from "../../answers/expect-error.ts";
import { asObject, asObjects, asText, brief } from "../../answers/loose-json.ts";
import {
  answerOf,
  describeReply,
  errorOf,
  headerOf,
  isForbidden,
  isLogin,
  jsonBodyOf,
  resultOf,
} from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, isBreach, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { type ExtendedByGet, extendedByGet, extendedCard, extendedCardAsked } from "../../observations/cards.ts";
import { firstContact } from "../../observations/first-contact.ts";
import { lintOf } from "./lint.ts";
import { internalUrlsIn, isInternalAddress, secretsIn } from "./nothing-secret.ts";

export const refusesWhatItDoesNotOffer = activeCheck("XCARD-001", {
  uses: { asked: extendedCardAsked },
  judge: ({ asked }) =>
    expectError(asked, "UnsupportedOperation", { what: "GetExtendedAgentCard without the capability" }),
});

export const hasCardOrSaysNot = activeCheck("XCARD-002", {
  uses: { asked: extendedCardAsked },
  judge({ asked }) {
    if (asObject(resultOf(asked))) return holds();
    const what = "GetExtendedAgentCard on an agent that declares an extended card";
    // Servers of 0.3 use various HTTP+JSON statuses for it (docs/spec/dialects.md §5.3).
    if (
      isOlderRest(asked) &&
      asObject(jsonBodyOf(asked.exchange))?.["code"] === errorTable.ExtendedAgentCardNotConfigured.code
    )
      return holds();
    if (resultOf(asked) === undefined) return expectError(asked, "ExtendedAgentCardNotConfigured", { what });
    return broken(
      `${what} does not return a card`,
      answerOf(asked, "an AgentCard, or ExtendedAgentCardNotConfiguredError"),
    );
  },
});

const isOlderRest = ({ on }: Call): boolean => on.dialect !== "1.0" && on.binding === "HTTP+JSON";

const bogus: readonly (readonly [string, string])[] = [["Authorization", "Bearer assay-knows-no-token"]];

export const strangersGetNoCard = activeCheck("XCARD-003", {
  uses: { firstContact },
  async judge(_seen, target) {
    const anonymous = target.as("anonymous")!;
    const without = await anonymous.call("GetExtendedAgentCard", {});
    const found = turnedAway(without, "GetExtendedAgentCard without credentials", target);
    if (found.is !== "holds") return found;
    const withBogus = await anonymous.call("GetExtendedAgentCard", {}, { headers: bogus });
    return turnedAway(withBogus, "GetExtendedAgentCard with an invalid token", target);
  },
});

function turnedAway(call: Call, what: string, { facts, on }: Target): Finding {
  const details = answerOf(call, "an authentication error");
  const shown = asObject(resultOf(call));
  // In 0.3, both cards have one address over gRPC and HTTP+JSON, and some servers return the public card to every
  // caller.
  if (shown && on.dialect === "0.3" && on.binding !== "JSONRPC" && showsNoMore(shown, facts.card)) return holds();
  if (shown) {
    return breach(facts.secured ? "broken" : "shown-without-scheme", `${what} returns the card`, details);
  }
  if (call.shutOut) return holds();
  if (call.reply.is === "failure") return notExamined("unstable", `${what} got no response (${describeReply(call)})`);
  if (isLogin(call) || isForbidden(call) || matches(call, "ExtendedAgentCardNotConfigured")) return holds();
  if (isInternal(call)) return crashed(`${what} returns an internal error`, details);
  const error = errorOf(call);
  // JSON-RPC has no code for this error, so any code outside the ranges of JSON-RPC and A2A counts (AMB-33).
  const code = error?.code;
  if (code !== undefined && (code < -32768 || code > -32600) && !hasMeaning(code, facts)) return holds();
  return breach("other-reason", `${what} returns an error that is not an authentication error`, details);
}

/** Rules about the required members of AgentCard and its parts. */
const requiredMembers = /^(CARD-00[3-9]|CARD-01[0-3]|CARD-02[0-2]|V03-CARD-00[12])$/;

/** Finds a missing required member. */
function lacksIn(
  card: JsonObject,
  { on, facts }: Target,
): { readonly path: string; readonly message: string } | undefined {
  // In 0.3, HTTP+JSON and gRPC may or may not print protobuf. These members exist in both forms (docs/spec/dialects.md
  // §1.5).
  if (on.dialect !== "1.0" && on.binding !== "JSONRPC") {
    const missing = ["name", "url", "version", "skills"].find((name) => !card[name] && facts.card[name]);
    return missing === undefined ? undefined : { path: `$.${missing}`, message: "is missing" };
  }
  return lintOf(card, facts).find(({ level, rule }) => level === "error" && requiredMembers.test(rule ?? ""));
}

export const extendedCardIsComplete = activeCheck("XCARD-005", {
  uses: { extended: extendedCard },
  judge({ extended: { call, card } }, target) {
    const first = lacksIn(card, target);
    if (!first) return holds();
    return broken("the extended card lacks required members", {
      saw: `${first.path.replace(/^\$\./, "")} ${first.message} in an object with ${brief(Object.keys(card).join(", "))}`,
      want: "every required member of AgentCard",
      at: call,
    });
  },
});

export const secretSkillsStaySecret = activeCheck("XCARD-007", {
  requires: ["extendedAgentCard", "credentials", "restricted-principal", "expectation:privilegedSkills"],
  uses: { extended: extendedCard },
  async judge({ extended: { card, call: ours } }, target) {
    const privileged = target.expectations.privilegedSkills ?? [];
    const shown = skillsIn(card).filter((id) => privileged.includes(id));
    if (shown.length === 0) {
      const because = "the user's extended card has none of the privileged skills";
      return notExamined("not-triggered", because, "expectations.privilegedSkills in assay.yaml");
    }
    const theirs = await target.as("restricted")!.call("GetExtendedAgentCard", {});
    if (theirs.reply.is === "failure")
      return notExamined("unstable", `the restricted principal got no response: ${describeReply(theirs)}`);
    const told = skillsIn(asObject(resultOf(theirs)) ?? {}).filter((id) => privileged.includes(id));
    // Other rules judge how callers without access are refused.
    if (told.length === 0) return holds();
    return broken("the extended card lists privileged skills for the restricted principal", {
      saw: brief(told.join(", ")),
      want: "a card without them, or an error",
      at: [theirs, ours],
    });
  },
});

/** Returns true if a card adds no skill to the other card. */
const showsNoMore = (card: JsonObject, known: JsonObject): boolean =>
  skillsIn(card).every((id) => skillsIn(known).includes(id));

const skillsIn = (card: JsonObject): readonly string[] =>
  asObjects(card["skills"]).flatMap(({ id }) => asText(id) ?? []);

export const extendedCardIsNotShared = activeCheck("XCARD-008", {
  uses: { extended: extendedCard },
  judge({ extended: { call } }) {
    const control = headerOf(call.exchange, "Cache-Control");
    const want = "Cache-Control with private or no-store";
    if (control === undefined) {
      return broken("the extended card has no Cache-Control header", { saw: "no Cache-Control", want, at: call });
    }
    if (!/(?:^|[\s,])public(?:$|[\s,])/i.test(control)) return holds();
    const saw = `Cache-Control: ${brief(control)}`;
    return broken("the Cache-Control header of the extended card says public", { saw, want, at: call });
  },
});

export const extendedCardHoldsNoSecrets = activeCheck("XCARD-009", {
  uses: { extended: extendedCard },
  judge({ extended: { call, card } }, { facts, on, production }) {
    const first = secretsIn(card, facts).find((finding) => isBreach(finding));
    const own = [on.url, facts.cardUrl, ...facts.declared.map(({ url }) => url)];
    // Internal URLs are useful to internal callers.
    const isOutside = production || !(isInternalAddress(on.url) || isInternalAddress(facts.cardUrl));
    const [place] = isOutside ? internalUrlsIn(card, own) : [];
    return [
      ...(first ? [breach("secret", `in the extended card, ${first.message.split(";")[0]}`, { at: call })] : []),
      ...(place !== undefined
        ? [
            breach("internal-address", `${place} of the extended card contains an internal URL`, {
              saw: `an internal address in ${place}`,
              want: "public addresses only",
              remedy: `Remove the internal URL from ${place}.`,
              at: call,
            }),
          ]
        : []),
      holds(),
    ];
  },
});

export const extendedCardIsFresh = activeCheck("XCARD-010", {
  uses: { extended: extendedCard },
  async judge(_seen, target) {
    const again = await target.call(
      "GetExtendedAgentCard",
      {},
      { headers: [["If-None-Match", '"assay-has-another-card"']], fair: false },
    );
    if (again.exchange.http.response?.status !== 304) return holds();
    return broken("the agent returns 304 to a client with another ETag", {
      saw: "HTTP 304 for an ETag that the card never had",
      want: "HTTP 200 with the card",
      at: again,
    });
  },
});

/** Errors with which 0.3 servers report a missing extended card (docs/spec/dialects.md §1.1). */
const sayings = ["ExtendedAgentCardNotConfigured", "UnsupportedOperation", "MethodNotFound"] as const;

/** Returns the card over plain HTTP, as in 0.2.1 to 0.2.6. */
function gotten({ exchange }: ExtendedByGet["answers"][number]): JsonObject | undefined {
  const json = exchange.http.response?.status === 200 ? asObject(jsonBodyOf(exchange)) : undefined;
  // Some web applications return their own JSON at every address.
  return typeof json?.["name"] === "string" || Array.isArray(json?.["skills"]) ? json : undefined;
}

export const olderExtendedCardChecks: readonly Check[] = [
  activeCheck("V03-XCARD-001", {
    uses: { firstContact, asked: extendedCardAsked },
    judge({ asked }, { facts }): Finding {
      const want = "error -32007, or another error for it";
      const details = answerOf(asked, want);
      const card = asObject(resultOf(asked));
      const what = "agent/getAuthenticatedExtendedCard on an agent that declares no extended card";
      if (card) {
        if (showsNoMore(card, facts.card))
          return breach("public-card-again", `${what} returns the public card`, details);
        return broken(`${what} returns another card`, details);
      }
      if (asked.reply.is === "failure") return crashed(`${what} gets no response`, details);
      if (sayings.some((name) => matches(asked, name))) return holds();
      // The Python SDK uses an internal error for it, which its message shows.
      const { reason, message } = errorOf(asked) ?? {};
      const isMeant = isInternal(asked) && /extended|not supported/i.test(`${reason} ${message}`);
      if (isInternal(asked) && !isMeant) return crashed(`${what} returns an internal error`, details);
      return isMeant || isRefusal(asked)
        ? breach("other-reason", `${what} returns an unusual error`, details)
        : broken(`${what} returns a malformed response instead of an error`, details);
    },
  }),

  activeCheck("V02-XCARD-001", {
    uses: { seen: extendedByGet },
    judge({ seen: { answers } }): Finding {
      const [first] = answers;
      const found = answers.find((answer) => gotten(answer));
      const want = "HTTP 200 with an AgentCard";
      if (!first) return notExamined("not-triggered", "the card has no address for the extended card");
      if (found === first) return holds();
      if (found) {
        return breach(
          "other-location",
          "the extended card is not at the specified path, next to the address of the agent",
          {
            saw: found.url,
            want: first.url,
            at: found.exchange,
          },
        );
      }
      const refused = answers.find(({ exchange }) => [401, 403].includes(exchange.http.response?.status ?? 0));
      if (refused) {
        const because = `the given credentials are not valid for the extended card (HTTP ${refused.exchange.http.response?.status})`;
        return notExamined("credentials", because, "--bearer env:TOKEN, --api-key or --basic");
      }
      return broken("the card declares an extended card, but the agent serves none", {
        saw: first.exchange.failure?.message ?? `HTTP ${first.exchange.http.response?.status} at ${first.url}`,
        want,
        at: first.exchange,
      });
    },
  }),

  activeCheck("V02-XCARD-002", {
    uses: { seen: extendedByGet },
    judge({ seen: { answers, withoutLogin } }, { facts }): Finding {
      const shown = withoutLogin.find((answer) => {
        const card = gotten(answer);
        // At a shared address, every caller gets the public card.
        return card && !(answer.url.endsWith("/v1/card") && showsNoMore(card, facts.card));
      });
      if (shown) {
        return broken("the agent serves the extended card without credentials", {
          saw: `HTTP 200 at ${shown.url}`,
          want: "HTTP 401",
          at: shown.exchange,
        });
      }
      const index = answers.findIndex((answer) => gotten(answer));
      const refusal = (index < 0 ? withoutLogin[0] : withoutLogin[index])?.exchange;
      const status = refusal?.http.response?.status;
      if (!refusal || status === undefined || (index < 0 && status === 404))
        return notExamined("not-triggered", "the agent has no extended card");
      if (status >= 500) {
        const details = { saw: `HTTP ${status}`, want: "HTTP 401", at: refusal };
        return crashed("a request for the extended card without credentials causes an internal error", details);
      }
      if (status !== 401 && status !== 403) {
        const details = { saw: `HTTP ${status}`, want: "HTTP 401", at: refusal };
        return breach("other-reason", "the error for the extended card is not an authentication error", details);
      }
      if (status === 403 || headerOf(refusal, "www-authenticate") !== undefined) return holds();
      return breach("no-challenge", "the error for the extended card does not say how to authenticate", {
        saw: "HTTP 401 without WWW-Authenticate",
        want: "WWW-Authenticate",
        at: refusal,
      });
    },
  }),

  activeCheck("V02-XCARD-003", {
    uses: { seen: extendedByGet },
    judge({ seen: { answers } }, { facts }): Finding {
      const found = answers.find((answer) => gotten(answer));
      const card = found && gotten(found);
      if (!card) return notExamined("not-triggered", "the agent has no extended card");
      const missing = lintOf(card, facts).find(({ level, code }) => level === "error" && code === "missing");
      if (!missing) return holds();
      return broken("the extended card lacks required members", {
        saw: `${missing.path.replace(/^\$\./, "")} ${missing.message} in an object with ${brief(Object.keys(card).join(", "))}`,
        want: "every required member of AgentCard",
        at: found.exchange,
      });
    },
  }),
];
