import type { Exchange } from "@assay/wire";
import { accomplished } from "../../../client/accomplished.ts";
import { type ClientRequest, callsOf } from "../../../client/client-request.ts";
import { fieldsNamed, isSend } from "../../../client/request-fields.ts";
import { type SituationSeen, situationCheck } from "../../../client/situation-check.ts";
import { breach, broken, holds, notExamined } from "../../../define/finding.ts";

/** Returns successful requests for the card, including those with a 304 response. */
const cardFetches = (requests: readonly ClientRequest[]): readonly Exchange[] =>
  requests.flatMap(({ is, exchange }) =>
    is === "card" && exchange.http.request.method === "GET" && isCard(exchange) ? [exchange] : [],
  );

const isCard = ({ http: { response } }: Exchange): boolean => response?.status === 200 || response?.status === 304;

const isConditional = (exchange: Exchange): boolean =>
  fieldsNamed({ exchange }, "if-none-match").length > 0 || fieldsNamed({ exchange }, "if-modified-since").length > 0;

const sendsIn = (requests: readonly ClientRequest[]): number => callsOf(requests).filter(isSend).length;

export const keptWhileFresh = situationCheck("CACHE-005", {
  in: ["fresh-card"],
  judge({ requests, runs }) {
    const fetches = cardFetches(requests);
    // Each process may start without a card.
    if (!fetches.length || sendsIn(requests) < 2 || runs.length > 1) return undefined;
    if (fetches.length === 1) return holds(undefined, fetches);
    return broken(`the client fetches the card ${fetches.length} times while it is fresh`, {
      saw: `${fetches.length} requests for the card`,
      want: "one request, because of max-age=60",
      at: fetches,
    });
  },
});

export const revalidated = situationCheck("CACHE-006", {
  in: ["stale-card"],
  judge(seen) {
    const [first, ...later] = cardFetches(seen.requests);
    if (!first || seen.runs.length > 1) return undefined;
    if (!later.length) return notExamined("not-triggered", "the client did not request the card again");
    const plain = later.find((exchange) => !isConditional(exchange));
    if (plain)
      return broken("the client fetches a known card again without its ETag", {
        saw: "no If-None-Match and no If-Modified-Since",
        want: "If-None-Match with the ETag of the card",
        at: [first, plain],
      });
    const done = accomplished(seen);
    if (done.is) return holds(undefined, later);
    return broken(`after a 304 for its card, the client ${done.because}`, {
      saw: done.saw,
      want: "the client uses its cached card",
      at: later,
    });
  },
});

const olderName = "/.well-known/agent.json";

export const foundByOlderName = situationCheck("V02-CARD-002", {
  in: ["older-card-name"],
  judge({ requests }) {
    const fetches = requests.filter(({ is }) => is === "card").map(({ exchange }) => exchange);
    if (!fetches.length) return undefined;
    const paths = new Set(fetches.map(({ http }) => new URL(http.request.url).pathname));
    if ([...paths].some((path) => path.endsWith(olderName))) return holds(undefined, fetches);
    return broken("the client does not look for the card at the path of this version", {
      saw: [...paths].join(", "),
      want: olderName,
      at: fetches,
    });
  },
});

/** Returns the requests for keys, which show that a client verifies signatures. */
const keyFetches = ({ requests }: SituationSeen) =>
  requests.filter(({ is }) => is === "keys").map(({ exchange }) => exchange);

const notVerified = notExamined("not-triggered", "the client did not request the key of the signature");

export const verified = situationCheck("SIG-016", {
  in: ["signed-card", "rewritten-card", "forged-card"],
  judge(seen) {
    const keys = keyFetches(seen);
    if (!keys.length) return notVerified;
    const calls = callsOf(seen.requests);
    if (seen.situation.id === "forged-card")
      return calls.length
        ? broken("the client fetched the key, but accepted a card that was changed after signing", {
            saw: `${calls.length} calls`,
            want: "no calls, because the signature does not match the card",
            at: [...keys, calls[0]!.exchange],
          })
        : holds(undefined, keys);
    const done = accomplished(seen);
    if (done.is) return holds(undefined, keys);
    return broken(`the client fetched the key of a validly signed card, and ${done.because}`, {
      saw: done.saw,
      want: "the client accepts the card",
      at: keys,
    });
  },
});

export const keepsPresence = situationCheck("SIG-021", {
  in: ["explicit-card"],
  judge(seen) {
    const keys = keyFetches(seen);
    if (!keys.length) return notVerified;
    const done = accomplished(seen);
    if (done.is) return holds(undefined, keys);
    return breach(
      "explicit-default-dropped",
      `the client does not accept a card signed with an explicit default: it ${done.because}`,
      {
        saw: done.saw,
        want: "the client accepts the card",
        at: keys,
      },
    );
  },
});

export const refused = situationCheck("SIG-017", {
  in: ["forged-card"],
  judge({ requests, runs }) {
    const calls = callsOf(requests);
    if (!requests.some(({ is }) => is === "card")) return undefined;
    const at = calls.slice(0, 3).map(({ exchange }) => exchange);
    if (!calls.length) return holds();
    // Output on the error stream may be the warning that satisfies the rule.
    if (!runs.length || runs.some(({ errors }) => errors.trim() !== ""))
      return notExamined("not-triggered", "the client may have warned about the signature");
    return broken("the client calls an agent whose card was changed after signing", {
      saw: `${calls.length} calls, and no warning`,
      want: "no call, or a warning",
      at,
    });
  },
});

export const withdrawn = situationCheck("SIG-019", {
  in: ["withdrawn-key"],
  judge(seen) {
    const keys = keyFetches(seen);
    if (!keys.length) return notVerified;
    const [call] = callsOf(seen.requests);
    if (!call) return holds(undefined, keys);
    return broken("the client accepts a card whose key is not published", {
      saw: "calls after fetching the keys",
      want: "no call",
      at: [...keys, call.exchange],
    });
  },
});
