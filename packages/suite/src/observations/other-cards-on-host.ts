import type { Exchange } from "@assay/wire";
import { observation } from "../define/observation.ts";

/** The cards of other agents on the same host, where the operator says that they are. */
export const otherCardsOnHost = observation<readonly { readonly url: string; readonly exchange: Exchange }[]>({
  name: "the cards of other agents on the host",
  messages: 0,
  aside: true,
  async make(target) {
    const { host, href } = new URL(target.facts.cardUrl);
    const others = (target.expectations.otherCards ?? []).filter((url) => {
      if (!URL.canParse(url)) return false;
      const other = new URL(url);
      return other.host === host && other.href !== href;
    });
    return Promise.all(
      others.map(async (url) => ({
        url,
        exchange: await target.fetch({
          method: "GET",
          url,
          headers: [["Accept", "application/json"]],
          followRedirects: 3,
        }),
      })),
    );
  },
});
