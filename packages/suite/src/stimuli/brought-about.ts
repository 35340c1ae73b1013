import { asObjects } from "../answers/loose-json.ts";
import type { LooseTask } from "../answers/reading.ts";
import type { PromptKind } from "../define/prompt-kind.ts";
import type { LearnedPrompt } from "./learned.ts";
import { asText, saysText } from "./parts.ts";
import type { Stimuli, Stimulus } from "./prompts.ts";

/** A faster task ends before it can be observed while it works. */
const slowMs = 300;
/**
 * A faster task may end before several calls are made while it works. Another try then helps, but depth quick has no
 * messages to spare: there, such a task would show something in one run and not in the next.
 */
const surelySlowMs = 2_000;

/** Returns true if the task of a prompt takes long enough for several calls while it works, in every run. */
export const isSurelySlow = ({ shows, tookMs }: LearnedPrompt): boolean =>
  shows.includes("slow") && tookMs >= surelySlowMs;

const shownByState: Readonly<Record<string, PromptKind>> = {
  TASK_STATE_INPUT_REQUIRED: "inputRequired",
  TASK_STATE_AUTH_REQUIRED: "authRequired",
  TASK_STATE_FAILED: "failure",
  TASK_STATE_REJECTED: "rejected",
};

/** The response to a prompt. */
interface Outcome {
  readonly stimulus: Stimulus;
  readonly isMessage: boolean;
  /** final state; absent if there is no task */
  readonly task: LooseTask | undefined;
  readonly tookMs: number;
}

/** Derives the behaviours for which a prompt is useful from the response to it. */
export function broughtAbout({ stimulus: { parts, source }, isMessage, task, tookMs }: Outcome): LearnedPrompt {
  const common = { parts, source, tookMs: Math.round(tookMs) };
  if (!task) {
    return isMessage
      ? { ...common, answer: "message", shows: ["message"] }
      : { ...common, answer: "nothing", shows: [] };
  }
  const { state, artifacts, history } = task;
  const contents = artifacts.flatMap((artifact) => asObjects(artifact["parts"]));
  const has = (...members: string[]): boolean => contents.some((part) => members.some((name) => name in part));
  const byState = state === undefined ? undefined : shownByState[state];
  const shows: (PromptKind | false | undefined)[] = [
    byState ?? "task",
    // A task that failed, or waits for the user, does not continue by itself.
    byState === undefined && tookMs >= slowMs && "slow",
    has("raw", "url") && "file",
    has("url") && "fileUrl",
    has("data") && "data",
  ];
  return {
    ...common,
    answer: "task",
    ...(state !== undefined && { state }),
    artifacts: artifacts.length,
    history: history.length,
    shows: shows.filter((kind) => kind !== undefined && kind !== false),
  };
}

/**
 * Returns the messages to use, with gaps filled by learned prompts. A prompt that creates a task replaces the plain
 * message if that creates none; other known prompts stay. Of several slow prompts, it takes the fastest that leaves
 * time to look. `triesOnce`: a task that is barely slow enough does not count as slow.
 */
export function withLearned(
  known: Stimuli,
  learned: readonly LearnedPrompt[],
  { triesOnce = false }: { readonly triesOnce?: boolean } = {},
): Stimuli {
  const said = isDataInVain(learned) ? allAsText(known) : known;
  const filled: Partial<Record<PromptKind, Stimulus>> = { ...said };
  const inTurn = learned.toSorted((a, b) => a.tookMs - b.tookMs);
  const best =
    inTurn.find(isSurelySlow) ?? (triesOnce ? undefined : inTurn.findLast(({ shows }) => shows.includes("slow")));
  if (best) filled.slow ??= { parts: best.parts, source: best.source };
  for (const { parts, source, shows } of inTurn) {
    const stimulus = { parts, source };
    for (const kind of shows) if (kind !== "task" && kind !== "slow") filled[kind] ??= stimulus;
  }
  const makesTask = ({ shows }: LearnedPrompt): boolean => shows.includes("task");
  const isPlain = known.task?.source === "plain" || known.task?.source === "example";
  const first = learned.find(makesTask);
  if (isPlain && first) filled.task = { parts: first.parts, source: first.source };
  return filled;
}

/**
 * Returns true if text worked and the data that the card asks for did not: the agent reads a type that its card does
 * not list.
 */
export function isDataInVain(learned: readonly LearnedPrompt[]): boolean {
  const isAnswered = ({ shows }: LearnedPrompt): boolean => shows.includes("task") || shows.includes("message");
  const [texts, data] = [learned.filter(saysText), learned.filter((each) => !saysText(each))];
  return data.length > 0 && texts.some(isAnswered) && !data.some(isAnswered);
}

/** Keeps prompts of the operator unchanged. */
const allAsText = (stimuli: Stimuli): Stimuli =>
  Object.fromEntries(
    Object.entries(stimuli).map(([kind, stimulus]) => [
      kind,
      stimulus.source === "operator" ? stimulus : { ...stimulus, parts: asText(stimulus.parts) },
    ]),
  );
