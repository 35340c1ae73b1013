import type { Exchange } from "@assay/wire";
import { accomplished } from "../../../client/accomplished.ts";
import type { ClientRequest } from "../../../client/client-request.ts";
import { callsOf } from "../../../client/client-request.ts";
import { fieldsNamed, isSend } from "../../../client/request-fields.ts";
import { type SituationCheck, situationCheck } from "../../../client/situation-check.ts";
import { broken, holds, notExamined } from "../../../define/finding.ts";

/** The requests for the card that were answered with it, or with the word that nothing has changed. */
const cardFetches = (requests: readonly ClientRequest[]): readonly Exchange[] =>
  requests.flatMap(({ is, exchange }) =>
    is === "card" && exchange.http.request.method === "GET" && isCard(exchange) ? [exchange] : [],
  );

const isCard = ({ http: { response } }: Exchange): boolean => response?.status === 200 || response?.status === 304;

const isConditional = (exchange: Exchange): boolean =>
  fieldsNamed({ exchange }, "if-none-match").length > 0 || fieldsNamed({ exchange }, "if-modified-since").length > 0;

const sendsIn = (requests: readonly ClientRequest[]): number => callsOf(requests).filter(isSend).length;

const keptWhileFresh = situationCheck({
  id: "CACHE-005",
  title: "a card that is fresh is not fetched again",
  remedy: "Keep the card for as long as its Cache-Control says that it is fresh.",
  in: ["fresh-card"],
  judge({ requests, runs }) {
    const fetches = cardFetches(requests);
    // Each process may begin without a card.
    if (!fetches.length || sendsIn(requests) < 2 || runs.length > 1) return undefined;
    return fetches.length === 1
      ? holds(undefined, fetches)
      : broken(`the card is fetched ${fetches.length} times while it is fresh`, {
          saw: `${fetches.length} requests for the card`,
          want: "one, for it says max-age=60",
          at: fetches,
        });
  },
});

const revalidated = situationCheck({
  id: "CACHE-006",
  title: "a card that is stale is asked for with its ETag",
  remedy: "Send If-None-Match with the ETag that came with the card, and go on with the card that is held after a 304.",
  in: ["stale-card"],
  judge(seen) {
    const [first, ...later] = cardFetches(seen.requests);
    if (!first || seen.runs.length > 1) return undefined;
    if (!later.length) return notExamined("not-triggered", "the client did not ask for the card again");
    const plain = later.find((exchange) => !isConditional(exchange));
    if (plain)
      return broken("a card that was fetched before is fetched anew, without its ETag", {
        saw: "no If-None-Match and no If-Modified-Since",
        want: "If-None-Match with the ETag of the card",
        at: [first, plain],
      });
    const done = accomplished(seen);
    return done.is
      ? holds(undefined, later)
      : broken(`told that its card is still valid, the client ${done.because}`, {
          saw: done.saw,
          want: "the card that it holds is used",
          at: later,
        });
  },
});

const olderName = "/.well-known/agent.json";

const foundByOlderName = situationCheck({
  id: "V02-CARD-002",
  title: "the card is looked for at /.well-known/agent.json",
  remedy: "Look for the card at /.well-known/agent.json, at least where there is none under the newer name.",
  in: ["older-card-name"],
  judge({ requests }) {
    const fetches = requests.filter(({ is }) => is === "card").map(({ exchange }) => exchange);
    if (!fetches.length) return undefined;
    const paths = new Set(fetches.map(({ http }) => new URL(http.request.url).pathname));
    return [...paths].some((path) => path.endsWith(olderName))
      ? holds(undefined, fetches)
      : broken("the card is not looked for where agents of this version have it", {
          saw: [...paths].join(", "),
          want: olderName,
          at: fetches,
        });
  },
});

export const cardChecks: readonly SituationCheck[] = [keptWhileFresh, revalidated, foundByOlderName];
