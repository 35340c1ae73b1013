import type { JsonObject } from "@assay/protocol";
import { observation } from "../observation.ts";
import { concernsNobody, skipped } from "../obstacle.ts";
import { asObject, describeReply, isForbidden, isLogin, resultOf } from "../reading.ts";
import type { Talk } from "../talk.ts";

/** The extended card asked for with the user's credentials, whatever came of it. */
export const extendedCardAsked = observation<Talk>({
  name: "the extended card",
  messages: 0,
  async make(lab) {
    const talk = await lab.call("GetExtendedAgentCard", {});
    if (isLogin(talk) || isForbidden(talk)) {
      throw skipped(
        "credentials",
        `the credentials that were given are not those for it (${describeReply(talk)})`,
        "--bearer env:TOKEN, --api-key or --basic",
      );
    }
    return talk;
  },
});

/** The extended card itself, of an agent that has one. */
export const extendedCard = observation<{ readonly talk: Talk; readonly card: JsonObject }>({
  name: "the extended card as it came",
  messages: 0,
  uses: [extendedCardAsked],
  async make(lab) {
    const talk = await lab.observe(extendedCardAsked);
    const card = asObject(resultOf(talk));
    if (!card) throw concernsNobody(`there is no extended card to look at (${describeReply(talk)})`);
    return { talk, card };
  },
});
