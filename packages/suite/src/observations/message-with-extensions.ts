import type { JsonObject } from "@assay/protocol";
import type { AgentFacts } from "../card/agent-facts.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { doesNotApply } from "../define/obstacle.ts";
import { asking } from "../shapes/active-extensions.ts";

export const unknownExtension = "https://example.invalid/ext/unknown/v1";

export const requiredBy = ({ extensions }: AgentFacts): readonly string[] =>
  extensions.flatMap(({ uri, required }) => (required ? [uri] : []));

export const optionalFor = ({ extensions }: AgentFacts): readonly string[] =>
  extensions.flatMap(({ uri, required }) => (required ? [] : [uri]));

/** A message with all extensions of the card, and one that no agent has. */
export const messageWithExtensions = observation<{ readonly call: Call; readonly asked: readonly string[] }>({
  name: "a message with extensions",
  messages: 1,
  prompts: ["task"],
  rank: 7,
  async make(target) {
    const declared = target.facts.extensions.map(({ uri }) => uri);
    if (declared.length === 0) throw doesNotApply("the card declares no extension");
    // The last declared one is not asked for where there are several optional ones: it must not turn up by itself.
    const optional = optionalFor(target.facts);
    const left = optional.length > 1 ? optional.at(-1) : undefined;
    const asked = [...declared.filter((uri) => uri !== left), unknownExtension];
    return { call: await target.send("task", { edit: asking(...asked) }), asked };
  },
});

/** A message that does not declare what the card requires: a conforming agent does no work for it. */
export const messageWithoutExtension = observation<Call>({
  name: "a message without the required extension",
  messages: 0,
  make: (target) =>
    // A message of ours is JSON.
    target.call(
      "SendMessage",
      { message: target.message("task") as unknown as JsonObject },
      { refusable: true, edit: asking() },
    ),
});
