import type { Part } from "@assay/protocol";
import type { AgentFacts } from "../card/agent-facts.ts";
import { type PromptKind, promptKinds } from "../define/prompt-kind.ts";
import type { RunOptions } from "../options/derive.ts";
import { keywordFor } from "./keyword-skills.ts";
import type { PromptSource } from "./learned.ts";
import { chosenSkills, partsSaying, readsText } from "./parts.ts";

/** A message that triggers a behaviour, and its source. */
export interface Stimulus {
  readonly source: PromptSource;
  readonly parts: readonly Part[];
  /** message id prefix, for conventions that go by the id */
  readonly idPrefix?: string;
}

/** Options of the operator for messages to the agent. */
export interface PromptOptions extends Pick<RunOptions, "skills" | "convention" | "useExamples"> {
  /** prompts by behaviour */
  readonly prompts?: Partial<Record<PromptKind, Prompt>>;
}

/** A text, sent in a form that the agent reads, or complete message parts. */
type Prompt = string | { readonly parts: readonly Part[] };

export type Stimuli = Readonly<Partial<Record<PromptKind, Stimulus>>>;

/** Sent to unknown agents: it calls no tool, buys nothing and costs little. */
export const harmless = "Reply with the word OK.";

/** Prompts of a convention, always text. */
type Convention = Readonly<Partial<Record<PromptKind, { readonly text: string; readonly idPrefix?: string }>>>;

const tck: Convention = {
  task: { text: "Complete this task.", idPrefix: "tck-complete-task" },
  message: { text: "Answer directly.", idPrefix: "tck-message-response" },
  stream: { text: "Stream this.", idPrefix: "tck-stream-001" },
  slow: { text: "Stay alive for a while.", idPrefix: "test-resubscribe-message-id" },
  inputRequired: { text: "Ask back.", idPrefix: "tck-input-required" },
  followUp: { text: "Go on.", idPrefix: "tck-complete-task" },
  rejected: { text: "Refuse this.", idPrefix: "tck-reject-task" },
  file: { text: "Give me a file.", idPrefix: "tck-artifact-file" },
  fileUrl: { text: "Give me the address of a file.", idPrefix: "tck-artifact-file-url" },
  data: { text: "Give me data.", idPrefix: "tck-artifact-data" },
};

const acts: Convention = Object.fromEntries(
  Object.entries({
    task: "tck-complete-task",
    message: "tck-message-response",
    stream: "tck-stream-chunked",
    slow: "tck-long-running",
    inputRequired: "tck-input-required",
    authRequired: "tck-auth-required",
    failure: "tck-task-failure",
    rejected: "tck-reject-task",
    file: "tck-artifact-file",
    fileUrl: "tck-artifact-file-url",
    data: "tck-artifact-data",
  }).map(([kind, text]) => [kind, { text }]),
);

/**
 * Returns the messages to use on an agent. Sources in order of trust: the operator's prompts, skills with known
 * keywords, the chosen convention, the card's examples if allowed, and a harmless text.
 */
export function stimuliFor(facts: AgentFacts, options: PromptOptions, isTestbed = false): Stimuli {
  const { prompts = {}, convention } = options;
  const conventional: Convention = convention === "tck" ? tck : convention === "acts" ? acts : {};
  const [example] = examplesFor(facts, options);
  const plain = { text: example ?? harmless, source: example === undefined ? "plain" : "example" } as const;
  const fallback: Partial<Record<PromptKind, { readonly text: string; readonly source: PromptSource }>> = {
    task: plain,
    stream: plain,
    followUp: { text: "OK", source: "plain" },
  };
  const isRead = readsText(facts, options.skills);
  const chosen = promptKinds.flatMap((kind): (readonly [PromptKind, Stimulus])[] => {
    const prompt = prompts[kind];
    if (typeof prompt === "object") return [[kind, { ...prompt, source: "operator" }]];
    const keyword = keywordFor(facts, kind, isTestbed);
    const known =
      (prompt !== undefined && { text: prompt, source: "operator" as const }) ||
      (keyword !== undefined && { text: keyword, source: "skill" as const }) ||
      (conventional[kind] && { ...conventional[kind], source: "convention" as const }) ||
      fallback[kind];
    if (!known) return [];
    const { text, ...more } = known;
    return [[kind, { parts: partsSaying(text, isRead), ...more }]];
  });
  return Object.fromEntries(chosen);
}

/** Returns the examples of the chosen skills, if they may be sent as messages. */
export const examplesFor = (
  { skills }: Pick<AgentFacts, "skills">,
  { useExamples = false, skills: chosen }: PromptOptions,
): readonly string[] => (useExamples ? chosenSkills(skills, chosen).flatMap((each) => each.examples) : []);
