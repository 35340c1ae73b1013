import { activeCheck } from "../../define/check.ts";
import { broken, holds, notExamined } from "../../define/finding.ts";

/** A card that holds something sensitive is to be guarded, so that it is guarded is no fault; clients have to know. */
export const cardIsPublic = activeCheck({
  id: "V03-CARD-016",
  title: "the card can be read without a login",
  remedy: "Serve the public card to everybody, and what is not for everybody as the extended card.",
  uses: {},
  once: true,
  withoutLogin: true,
  async judge(_seen, target) {
    const exchange = await target.as("anonymous")!.fetch({
      method: "GET",
      url: target.facts.cardUrl,
      headers: [["Accept", "application/json"]],
      followRedirects: 3,
    });
    const status = exchange.http.response?.status;
    if (status === 200) return holds();
    if (status !== 401 && status !== 403) return notExamined("unstable", "the card could not be asked for again");
    return broken("the card, which says how to log in, is only for those who have logged in", {
      saw: `HTTP ${status} without credentials`,
      want: "HTTP 200 with the card",
      at: exchange,
    });
  },
});
