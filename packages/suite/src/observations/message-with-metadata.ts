import type { JsonObject, Part } from "@assay/protocol";
import { asList, isAnswered } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import type { SendMore } from "../define/target.ts";

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
export interface MessageWithMetadata {
  readonly call: Call;
  /** milliseconds until it was answered */
  readonly answeredIn: number;
  /** the one output mode that was asked for; absent where the card does not list it */
  readonly mode: string | undefined;
  /** the same without metadata, where it was refused */
  readonly bare: Call | undefined;
}

export const messageWithMetadata = observation<MessageWithMetadata>({
  name: "a message with metadata",
  // The second is for agents that refuse the first: one that was kept back for trouble.
  messages: 1,
  prompts: ["task"],
  rank: 4,
  async make(target) {
    const kind = target.hasPrompt("slow") ? "slow" : "task";
    const mode = asList(target.facts.card["defaultOutputModes"]).includes(outputMode) ? outputMode : undefined;
    const plain: SendMore = mode === undefined ? {} : { configuration: { acceptedOutputModes: [mode] } };
    const parts = target.message(kind).parts.map((part): Part => ({ ...part, metadata }));
    const call = await target.send(kind, { ...plain, metadata, message: { metadata }, parts });
    const bare = isAnswered(call) ? undefined : await target.send(kind, plain);
    return { call, answeredIn: call.exchange.timing.end, mode, bare };
  },
});
