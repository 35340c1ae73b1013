import type { Part } from "@assay/protocol";
import type { AgentFacts } from "../card/agent-facts.ts";
import { type PromptKind, promptKinds } from "../define/prompt-kind.ts";
import type { RunOptions } from "../options/derive.ts";
import { keywordFor } from "./keyword-skills.ts";
import type { PromptSource } from "./learned.ts";
import { chosenSkills, partsSaying, readsText } from "./parts.ts";

/** What to say to bring about a behaviour, and where it is known from. */
export interface Stimulus {
  readonly source: PromptSource;
  readonly parts: readonly Part[];
  /** conventions that go by the message's id begin it so */
  readonly idPrefix?: string;
}

/** What the operator says about messages to the agent. */
export interface PromptOptions extends Pick<RunOptions, "skills" | "convention" | "useExamples"> {
  /** what to say to bring about a behaviour */
  readonly prompts?: Partial<Record<PromptKind, Prompt>>;
}

/** A text, which is sent as the agent reads it, or a message part by part. */
type Prompt = string | { readonly parts: readonly Part[] };

export type Stimuli = Readonly<Partial<Record<PromptKind, Stimulus>>>;

/** Said to agents we know nothing about: no tool is called, nothing is bought, little is thought. */
export const harmless = "Reply with the word OK.";

/** What a convention says: always a text. */
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
 * The messages to use on an agent, in this order of trust: what the user wrote, skills that are known to
 * answer to keywords, a convention that was asked for, the card's own examples if they may be used, and something harmless.
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

/** The examples of the skills that are spoken to, where they may be used as messages. */
export const examplesFor = (
  { skills }: Pick<AgentFacts, "skills">,
  { useExamples = false, skills: chosen }: PromptOptions,
): readonly string[] => (useExamples ? chosenSkills(skills, chosen).flatMap((each) => each.examples) : []);
