import type { Exchange, HeaderPairs } from "@assay/wire";
import { headerOf } from "../answers/reading.ts";
import { observation } from "../define/observation.ts";
import { skipped } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";

/** The card asked for again, plainly and in the ways of a cache. */
interface CardAgain {
  readonly plain: Exchange;
  /** as it came with the plain answer */
  readonly etag: string | undefined;
  /** by a client that has a card of another tag, and so none that is still good */
  readonly withOtherTag: Exchange;
  /** by a client that has this very card; only where it has a tag */
  readonly withThisTag: Exchange | undefined;
}

export const cardAgain = observation<CardAgain>({
  name: "the card, asked for again",
  messages: 0,
  aside: true,
  async make(target) {
    const plain = await get(target, []);
    if (plain.http.response?.status !== 200) {
      const saw = plain.failure?.message ?? `HTTP ${plain.http.response?.status}`;
      throw skipped("unstable", `the card was found once and could not be had again (${saw})`);
    }
    const etag = headerOf(plain, "ETag");
    const withOtherTag = await get(target, [["If-None-Match", '"assay-has-another-card"']]);
    const withThisTag = etag === undefined ? undefined : await get(target, [["If-None-Match", etag]]);
    return { plain, etag, withOtherTag, withThisTag };
  },
});

const get = (target: Target, more: HeaderPairs): Promise<Exchange> =>
  target.fetch({
    method: "GET",
    url: target.facts.cardUrl,
    headers: [["Accept", "application/json"], ["A2A-Version", "1.0"], ...more],
    followRedirects: 3,
  });
