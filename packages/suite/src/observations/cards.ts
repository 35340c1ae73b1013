import type { JsonObject } from "@assay/protocol";
import type { Exchange, HeaderPairs } from "@assay/wire";
import { asObject } from "../answers/loose-json.ts";
import { describeReply, headerOf, isForbidden, isLogin, jsonBodyOf, resultOf } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { doesNotApply, skipped } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import { cardWithoutLoginName } from "../report/events.ts";

/** The card fetched again, plainly and with cache headers. */
interface CardAgain {
  readonly plain: Exchange;
  /** as in the plain response */
  readonly etag: string | undefined;
  /** as a client with a card of another tag, which is therefore outdated */
  readonly withOtherTag: Exchange;
  /** as a client with this card; only if it has a tag */
  readonly withThisTag: Exchange | undefined;
}

export const cardAgain = observation<CardAgain>("the card, fetched again", {
  aside: true,
  async make(target) {
    const plain = await getAgain(target, []);
    if (plain.http.response?.status !== 200) {
      const saw = plain.failure?.message ?? `HTTP ${plain.http.response?.status}`;
      throw skipped("unstable", `Assay found the card once and could not fetch it again (${saw})`);
    }
    const etag = headerOf(plain, "ETag");
    const withOtherTag = await getAgain(target, [["If-None-Match", '"assay-has-another-card"']]);
    const withThisTag = etag === undefined ? undefined : await getAgain(target, [["If-None-Match", etag]]);
    return { plain, etag, withOtherTag, withThisTag };
  },
});

const getAgain = (target: Target, more: HeaderPairs): Promise<Exchange> =>
  getJson(target, target.facts.cardUrl, [...version, ...more]);

const version: HeaderPairs = [["A2A-Version", "1.0"]];

/** Fetches JSON outside the interface, such as a card. */
export const getJson = (caller: Target, url: string, more: HeaderPairs = []): Promise<Exchange> =>
  caller.fetch({ method: "GET", url, headers: [["Accept", "application/json"], ...more], followRedirects: 3 });

/** The availability of the card over https, if it was found over plain http. */
interface CardOverTls {
  /** it was found over https */
  readonly found: boolean;
  /** other possible addresses */
  readonly tried: readonly { readonly exchange: Exchange; readonly isCard: boolean }[];
}

export const cardOverTlsSeen = observation<CardOverTls>("the card over https", {
  aside: true,
  async make(target) {
    const { cardUrl } = target.facts;
    if (cardUrl.startsWith("https:")) return { found: true, tried: [] };
    const tried = await Promise.all(
      secured(cardUrl).map(async (url) => {
        const exchange = await getJson(target, url, version);
        const isCard = asObject(jsonBodyOf(exchange))?.["name"] === target.facts.card["name"];
        return { exchange, isCard: isCard && exchange.http.response?.status === 200 };
      }),
    );
    return { found: false, tried };
  },
});

/** Returns the same path on the same host: at the default port of https, and at the port of http. */
function secured(address: string): string[] {
  const [usual, same] = [new URL(address), new URL(address)];
  [usual.protocol, usual.port] = ["https:", ""];
  same.protocol = "https:";
  return [...new Set([usual.href, same.href])];
}

/** The card, fetched without credentials. */
export const cardWithoutLogin = observation<Exchange>(cardWithoutLoginName, {
  aside: true,
  make: (target) =>
    (target.as("anonymous") ?? target).fetch({ method: "GET", url: target.facts.cardUrl, followRedirects: 3 }),
});

/** The cards of other agents on the same host, at the addresses that the operator gave. */
export const otherCardsOnHost = observation<readonly { readonly url: string; readonly exchange: Exchange }[]>(
  "the cards of other agents on the host",
  {
    aside: true,
    async make(target) {
      const { host, href } = new URL(target.facts.cardUrl);
      const others = (target.expectations.otherCards ?? []).filter((url) => {
        if (!URL.canParse(url)) return false;
        const other = new URL(url);
        return other.host === host && other.href !== href;
      });
      return Promise.all(others.map(async (url) => ({ url, exchange: await getJson(target, url) })));
    },
  },
);

/** The response to a request for the extended card, with the user's credentials. */
export const extendedCardAsked = observation<Call>("the extended card", {
  async make(target) {
    const call = await target.call("GetExtendedAgentCard", {}, { share: "plain" });
    if (isLogin(call) || isForbidden(call)) {
      throw skipped(
        "credentials",
        `the agent does not accept your credentials for it (${describeReply(call)})`,
        "--bearer env:TOKEN, --api-key or --basic",
      );
    }
    return call;
  },
});

/** The extended card of an agent that has one. */
export const extendedCard = observation<{ readonly call: Call; readonly card: JsonObject }>(
  "the extended card as received",
  {
    uses: [extendedCardAsked],
    async make(target) {
      const call = await target.observe(extendedCardAsked);
      const card = asObject(resultOf(call));
      if (!card) throw doesNotApply(`the agent returned no extended card (${describeReply(call)})`);
      return { call, card };
    },
  },
);

interface Got {
  readonly url: string;
  readonly exchange: Exchange;
}

/** The extended card as 0.2 serves it: by a plain GET beside the agent's address, or under /v1/card (0.2.6). */
export interface ExtendedByGet {
  /** with the user's credentials; the standard place first, then others that servers of that time use */
  readonly answers: readonly Got[];
  /** the same places without credentials */
  readonly withoutLogin: readonly Got[];
}

const name = "agent/authenticatedExtendedCard";

export const extendedByGet = observation<ExtendedByGet>("the extended card by a plain GET", {
  aside: true,
  async make(target) {
    const main = target.facts.card["url"];
    if (typeof main !== "string" || !URL.canParse(main)) throw doesNotApply("the card has no main address");
    const base = main.replace(/\/+$/, "");
    const places = [`${main}/../${name}`, `${base}/${name}`, new URL(`/${name}`, main).href, `${base}/v1/card`];
    const urls = [...new Set(places.map((place) => new URL(place).href))];
    const asked = async (caller: Target): Promise<Got[]> =>
      Promise.all(urls.map(async (url) => ({ url, exchange: await getJson(caller, url) })));
    return { answers: await asked(target), withoutLogin: await asked(target.as("anonymous")!) };
  },
});
