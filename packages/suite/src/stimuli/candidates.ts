import type { AgentFacts } from "../card/agent-facts.ts";
import { type PromptKind, promptKinds } from "../define/prompt-kind.ts";
import { hasKeywordSkills, unlistedKeywordsFor } from "./keyword-skills.ts";
import { partsSaying, readsText } from "./parts.ts";
import { examplesFor, harmless, type PromptOptions, type Stimulus } from "./prompts.ts";

/** A prompt with unknown effect that is worth a try. */
export interface Candidate extends Stimulus {
  /** behaviours it may trigger; an example may trigger any */
  readonly hopedFor: readonly PromptKind[];
}

/** Limits the examples of the card, because further ones add nothing. */
const mostExamples = 4;

/** Harmless prompts of other kinds: they buy nothing, need no tool, and get a short response. */
const plainWords: readonly { readonly text: string; readonly hopedFor: readonly PromptKind[] }[] = [
  { text: "Count from 1 to 50, one number on each line.", hopedFor: ["task", "slow"] },
  { text: "Ask me one question, and wait for my answer before you go on.", hopedFor: ["task", "inputRequired"] },
];

/** Returns the prompts to try on an agent, most trusted source first. */
export function candidatesFor(facts: AgentFacts, options: PromptOptions): readonly Candidate[] {
  const isRead = readsText(facts, options.skills);
  const said = (text: string, source: Stimulus["source"], hopedFor: readonly PromptKind[]): Candidate => ({
    parts: partsSaying(text, isRead),
    source,
    hopedFor,
  });
  const unlisted = showable.flatMap((kind) =>
    unlistedKeywordsFor(facts, kind).map((text) => said(text, "skill", [kind])),
  );
  const examples = examplesFor(facts, options)
    // The first example is the plain message itself.
    .slice(1, mostExamples)
    .map((text) => said(text, "example", showable));
  // An agent with keywords or a convention ignores other words.
  const isCoded = hasKeywordSkills(facts) || options.convention !== undefined;
  const plain = isCoded ? [] : plainWords.map(({ text, hopedFor }) => said(text, "plain", hopedFor));
  // Some frameworks put only JSON on the card, although the agent reads nothing but text.
  const asText: Candidate[] = isRead
    ? []
    : [{ parts: partsSaying(harmless, true), source: "plain", hopedFor: ["task"] }];
  return [...unlisted, ...asText, ...examples, ...plain];
}

/** Behaviours that a prompt may turn out to trigger. Streaming and follow-ups need no try. */
export const showable: readonly PromptKind[] = promptKinds.filter((kind) => kind !== "stream" && kind !== "followUp");
