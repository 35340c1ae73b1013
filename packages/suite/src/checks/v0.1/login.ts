import { brief } from "../../answers/reading.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { broken, holds, notExamined } from "../../define/finding.ts";

const cardIsPublic = activeCheck({
  id: "V01-AUTH-001",
  title: "the card can be read without credentials where calls need them",
  remedy: "Serve /.well-known/agent.json to everybody, unless it tells what not everybody may know.",
  uses: {},
  once: true,
  withoutLogin: true,
  async judge(_seen, target) {
    const anonymous = target.as("anonymous") ?? target;
    const exchange = await anonymous.fetch({ method: "GET", url: target.facts.cardUrl });
    const status = exchange.http.response?.status;
    if (status === undefined) return notExamined("unstable", "the card could not be fetched again");
    if (status !== 401 && status !== 403) return holds();
    return broken("the card is served only to those who log in", {
      saw: `HTTP ${status} for ${brief(target.facts.cardUrl, 100)}`,
      want: "the card, so that clients learn how to log in",
      at: exchange,
    });
  },
});

export const loginChecks: readonly Check[] = [cardIsPublic];
