import type { Exchange } from "@assay/wire";
import { asObject, jsonBodyOf } from "../answers/reading.ts";
import { observation } from "../define/observation.ts";
import type { Target } from "../define/target.ts";

/** Whether the card is to be had over https, where it was found over plain http. */
interface CardOverTls {
  /** it was found there in the first place */
  readonly found: boolean;
  /** other addresses at which it might be */
  readonly tried: readonly { readonly exchange: Exchange; readonly isCard: boolean }[];
}

export const cardOverTlsSeen = observation<CardOverTls>({
  name: "the card over https",
  messages: 0,
  aside: true,
  async make(target) {
    const { cardUrl } = target.facts;
    if (cardUrl.startsWith("https:")) return { found: true, tried: [] };
    const tried = await Promise.all(
      secured(cardUrl).map(async (url) => {
        const exchange = await get(target, url);
        const isCard = asObject(jsonBodyOf(exchange))?.["name"] === target.facts.card["name"];
        return { exchange, isCard: isCard && exchange.http.response?.status === 200 };
      }),
    );
    return { found: false, tried };
  },
});

/** The same path on the same host: at the port where https is at home, and at the very port where http is spoken. */
function secured(address: string): string[] {
  const [usual, same] = [new URL(address), new URL(address)];
  [usual.protocol, usual.port] = ["https:", ""];
  same.protocol = "https:";
  return [...new Set([usual.href, same.href])];
}

const get = (target: Target, url: string): Promise<Exchange> =>
  target.fetch({
    method: "GET",
    url,
    headers: [
      ["Accept", "application/json"],
      ["A2A-Version", "1.0"],
    ],
    followRedirects: 3,
  });
