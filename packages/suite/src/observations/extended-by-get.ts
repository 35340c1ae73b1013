import type { Exchange } from "@assay/wire";
import { observation } from "../define/observation.ts";
import { doesNotApply } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";

interface Got {
  readonly url: string;
  readonly exchange: Exchange;
}

/** The extended card asked for as 0.2 has it: by a plain GET beside the address of the agent, or under /v1/card (0.2.6). */
export interface ExtendedByGet {
  /** with the user's credentials; the place of the text first, then others where servers of then have it */
  readonly answers: readonly Got[];
  /** the same places without any */
  readonly withoutLogin: readonly Got[];
}

const name = "agent/authenticatedExtendedCard";

export const extendedByGet = observation<ExtendedByGet>({
  name: "the extended card by a plain GET",
  messages: 0,
  aside: true,
  async make(target) {
    const main = target.facts.card["url"];
    if (typeof main !== "string" || !URL.canParse(main)) throw doesNotApply("the card has no main address");
    const base = main.replace(/\/+$/, "");
    const places = [`${main}/../${name}`, `${base}/${name}`, new URL(`/${name}`, main).href, `${base}/v1/card`];
    const urls = [...new Set(places.map((place) => new URL(place).href))];
    const asked = async (caller: Target): Promise<Got[]> =>
      Promise.all(
        urls.map(async (url) => ({
          url,
          exchange: await caller.fetch({
            method: "GET",
            url,
            headers: [["Accept", "application/json"]],
            followRedirects: 3,
          }),
        })),
      );
    return { answers: await asked(target), withoutLogin: await asked(target.as("anonymous")!) };
  },
});
