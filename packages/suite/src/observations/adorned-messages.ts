import type { JsonObject, Part } from "@assay/protocol";
import { asList } from "../answers/loose-json.ts";
import { isAnswered } from "../answers/reading.ts";
import type { AgentFacts } from "../card/agent-facts.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { doesNotApply } from "../define/obstacle.ts";
import type { SendMore } from "../define/target.ts";
import { asking } from "../shapes/active-extensions.ts";
import { sendInVain } from "./sending.ts";

/** One value of every JSON type, under keys as extensions use them. */
const metadata: JsonObject = {
  "https://example.com/assay/metadata": { nested: { list: [1, "two", false, null, { three: 3.5 }] } },
  number: 7,
  flag: true,
  nothing: null,
  text: "text",
};

const outputMode = "text/plain";

/** A slow, blocking message with everything that a client may add to it. */
interface MessageWithMetadata {
  readonly call: Call;
  /** milliseconds until it was answered */
  readonly answeredIn: number;
  /** the only requested output mode; absent if the card does not list it */
  readonly mode: string | undefined;
  /** the same message without metadata, if the agent rejected it */
  readonly bare: Call | undefined;
}

export const messageWithMetadata = observation<MessageWithMetadata>("a message with metadata", {
  // The second, from the reserve, is for agents that reject the first.
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

export const unknownExtension = "https://example.invalid/ext/unknown/v1";

export const requiredBy = ({ extensions }: AgentFacts): readonly string[] =>
  extensions.flatMap(({ uri, required }) => (required ? [uri] : []));

export const optionalFor = ({ extensions }: AgentFacts): readonly string[] =>
  extensions.flatMap(({ uri, required }) => (required ? [] : [uri]));

/** A message with all extensions of the card, and with an extension that no agent has. */
export const messageWithExtensions = observation<{ readonly call: Call; readonly asked: readonly string[] }>(
  "a message with extensions",
  {
    messages: 1,
    prompts: ["task"],
    rank: 7,
    async make(target) {
      const declared = target.facts.extensions.map(({ uri }) => uri);
      if (declared.length === 0) throw doesNotApply("the card declares no extension");
      // If several are optional, the last one is not requested: the agent must not activate it by itself.
      const optional = optionalFor(target.facts);
      const left = optional.length > 1 ? optional.at(-1) : undefined;
      const asked = [...declared.filter((uri) => uri !== left), unknownExtension];
      return { call: await target.send("task", { edit: asking(...asked) }), asked };
    },
  },
);

/** A message without the required extension: a conforming agent does not work on it. */
export const messageWithoutExtension = observation<Call>("a message without the required extension", {
  make: (target) => sendInVain(target, {}, { edit: asking() }),
});
