import type { JsonObject, Part } from "@assay/protocol";
import type { SendMore } from "../lab.ts";
import { observation } from "../observation.ts";
import { asList, isAnswered } from "../reading.ts";
import type { Talk } from "../talk.ts";

/** Every kind of value that JSON has, under keys as extensions use them. */
const metadata: JsonObject = {
  "https://example.com/assay/metadata": { nested: { list: [1, "two", false, null, { three: 3.5 }] } },
  number: 7,
  flag: true,
  nothing: null,
  text: "text",
};

const outputMode = "text/plain";

/** A slow message, waited for, with everything a client may add to it. */
export interface Adorned {
  readonly talk: Talk;
  /** milliseconds until it was answered */
  readonly answeredIn: number;
  /** the one output mode that was asked for; absent where the card does not list it */
  readonly mode: string | undefined;
  /** the same without metadata, where it was refused */
  readonly bare: Talk | undefined;
}

export const adorned = observation<Adorned>({
  name: "a message with metadata",
  // The second is for those who refuse the first: one that was kept back for trouble.
  messages: 1,
  prompts: ["task"],
  rank: 4,
  async make(lab) {
    const kind = lab.hasPrompt("slow") ? "slow" : "task";
    const mode = asList(lab.facts.card["defaultOutputModes"]).includes(outputMode) ? outputMode : undefined;
    const plain: SendMore = mode === undefined ? {} : { configuration: { acceptedOutputModes: [mode] } };
    const parts = lab.message(kind).parts.map((part): Part => ({ ...part, metadata }));
    const talk = await lab.send(kind, { ...plain, metadata, message: { metadata }, parts });
    const bare = isAnswered(talk) ? undefined : await lab.send(kind, plain);
    return { talk, answeredIn: talk.exchange.timing.end, mode, bare };
  },
});
