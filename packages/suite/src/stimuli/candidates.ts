import type { AgentFacts } from "../card/agent-facts.ts";
import { type PromptKind, promptKinds } from "../define/prompt-kind.ts";
import { hasKeywordSkills, unlistedKeywordsFor } from "./keyword-skills.ts";
import { partsSaying, readsText } from "./parts.ts";
import { examplesFor, harmless, type PromptOptions, type Stimulus } from "./prompts.ts";

/** A prompt that is not known to bring anything about, and worth a try. */
export interface Candidate extends Stimulus {
  /** what it is hoped to bring about; an example may bring about anything */
  readonly hopedFor: readonly PromptKind[];
}

/** More of the card's examples than these say no more about the agent. */
const mostExamples = 4;

/** Harmless as well, and of another kind: nothing is bought, no tool is needed, and the answer is short. */
const plainWords: readonly { readonly text: string; readonly hopedFor: readonly PromptKind[] }[] = [
  { text: "Count from 1 to 50, one number on each line.", hopedFor: ["task", "slow"] },
  { text: "Ask me one question, and wait for my answer before you go on.", hopedFor: ["task", "inputRequired"] },
];

/** What can be tried on an agent, in the order of the ladder. */
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
    // The first is the plain message itself.
    .slice(1, mostExamples)
    .map((text) => said(text, "example", showable));
  // An agent that answers to keywords, or to a convention, makes nothing of other words.
  const isCoded = hasKeywordSkills(facts) || options.convention !== undefined;
  const plain = isCoded ? [] : plainWords.map(({ text, hopedFor }) => said(text, "plain", hopedFor));
  // Cards name JSON alone where a framework does so unasked, and the agent behind it reads text and nothing else.
  const asText: Candidate[] = isRead
    ? []
    : [{ parts: partsSaying(harmless, true), source: "plain", hopedFor: ["task"] }];
  return [...unlisted, ...asText, ...examples, ...plain];
}

/** What a prompt can turn out to bring about; whether it streams, and what to answer, is known without a try. */
export const showable: readonly PromptKind[] = promptKinds.filter((kind) => kind !== "stream" && kind !== "followUp");
