import type { JsonObject } from "@assay/protocol";
import { asObject, describeReply, isForbidden, isLogin, resultOf } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { doesNotApply, skipped } from "../define/obstacle.ts";

/** The extended card asked for with the user's credentials, whatever came of it. */
export const extendedCardAsked = observation<Call>({
  name: "the extended card",
  messages: 0,
  async make(target) {
    const call = await target.call("GetExtendedAgentCard", {});
    if (isLogin(call) || isForbidden(call)) {
      throw skipped(
        "credentials",
        `the credentials that were given are not those for it (${describeReply(call)})`,
        "--bearer env:TOKEN, --api-key or --basic",
      );
    }
    return call;
  },
});

/** The extended card itself, of an agent that has one. */
export const extendedCard = observation<{ readonly call: Call; readonly card: JsonObject }>({
  name: "the extended card as it came",
  messages: 0,
  uses: [extendedCardAsked],
  async make(target) {
    const call = await target.observe(extendedCardAsked);
    const card = asObject(resultOf(call));
    if (!card) throw doesNotApply(`there is no extended card to look at (${describeReply(call)})`);
    return { call, card };
  },
});
