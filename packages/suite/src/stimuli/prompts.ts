import type { Part } from "@assay/protocol";
import type { AgentFacts } from "../agent-facts.ts";
import { type PromptKind, promptKinds } from "../prompt-kind.ts";
import { keywordFor } from "./keyword-skills.ts";
import { partsSaying, readsText } from "./parts.ts";

/** What to say to bring about a behaviour, and where it is known from. */
export interface Stimulus {
  readonly parts: readonly Part[];
  /** conventions that go by the message's id begin it so */
  readonly idPrefix?: string;
}

/** What the operator says about messages to the agent. */
export interface PromptOptions {
  /** what to say to bring about a behaviour */
  readonly prompts?: Partial<Record<PromptKind, Prompt>>;
  /** skill to speak to, when several could do */
  readonly skill?: string;
  /** message conventions of other suites the agent answers to, though its card does not say so */
  readonly convention?: "tck" | "acts";
  /** may use the examples of the card's skills as messages */
  readonly useExamples?: boolean;
}

/** A text, which is sent as the agent reads it, or a message part by part. */
type Prompt = string | { readonly parts: readonly Part[] };

export type Stimuli = Readonly<Partial<Record<PromptKind, Stimulus>>>;

/** Said to agents we know nothing about: no tool is called, nothing is bought, little is thought. */
const harmless = "Reply with the word OK.";

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
    data: "tck-artifact-data",
  }).map(([kind, text]) => [kind, { text }]),
);

/**
 * The messages to use on an agent, in this order of trust: what the user wrote, skills that are known to
 * answer to keywords, a convention that was asked for, the card's own examples if they may be used, and something harmless.
 */
export function stimuliFor(facts: AgentFacts, options: PromptOptions): Stimuli {
  const { prompts = {}, convention, useExamples = false, skill } = options;
  const conventional: Convention = convention === "tck" ? tck : convention === "acts" ? acts : {};
  const examples = facts.skills
    .filter(({ id }) => skill === undefined || id === skill)
    .flatMap((each) => each.examples);
  const example = useExamples ? examples[0] : undefined;
  const plain = example ?? harmless;
  const fallback: Convention = { task: { text: plain }, stream: { text: plain }, followUp: { text: "OK" } };
  const isRead = readsText(facts, skill);
  const chosen = promptKinds.flatMap((kind) => {
    const prompt = prompts[kind] ?? keywordFor(facts, kind);
    if (typeof prompt === "object") return [[kind, prompt] as const];
    const { text, ...more } = (prompt !== undefined ? { text: prompt } : (conventional[kind] ?? fallback[kind])) ?? {};
    return text === undefined ? [] : [[kind, { parts: partsSaying(text, isRead), ...more }] as const];
  });
  return Object.fromEntries(chosen);
}
