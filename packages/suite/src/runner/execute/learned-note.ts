import { brief } from "../../answers/loose-json.ts";
import type { PromptKind } from "../../define/prompt-kind.ts";
import { isDataInVain } from "../../stimuli/brought-about.ts";
import type { LearnedPrompt } from "../../stimuli/learned.ts";

const answers: Record<LearnedPrompt["answer"], string> = {
  task: "a task",
  message: "a message",
  nothing: "nothing",
};

/**
 * What was tried and what came of it, in a sentence: where two runs of the same agent examine different rules, this is the
 * difference between them.
 */
export function learnedNote(learned: readonly LearnedPrompt[], missing: readonly PromptKind[]): string {
  const told = learned.map(({ parts, answer, tookMs, shows }) => {
    const words = brief(parts[0]?.text ?? parts[0], 60);
    const used = shows.filter((kind) => kind !== answer);
    return `"${words}" brought about ${answers[answer]} in ${(tookMs / 1_000).toFixed(1)} s${used.length ? ` (${used.join(", ")})` : ""}`;
  });
  const open = missing.length ? `; nothing did for ${missing.join(", ")}` : "";
  const inText = isDataInVain(learned)
    ? " The card names no text among what the agent reads, and data came to nothing: what is said from here on is text."
    : "";
  return `What brings a behaviour about was learnt by trying: ${told.join("; ")}${open}.${inText}`;
}
