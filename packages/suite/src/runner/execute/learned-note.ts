import { brief } from "../../answers/loose-json.ts";
import type { PromptKind } from "../../define/prompt-kind.ts";
import { isDataInVain } from "../../stimuli/brought-about.ts";
import type { LearnedPrompt } from "../../stimuli/learned.ts";

const answers: Record<LearnedPrompt["answer"], string> = {
  task: "a task",
  message: "a message",
  nothing: "nothing",
};

const timeText = (ms: number): string => (ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`);

/**
 * Describes the tried messages and their results in one sentence, which explains why two runs of one agent may examine
 * different rules.
 */
export function learnedNote(learned: readonly LearnedPrompt[], missing: readonly PromptKind[]): string {
  const told = learned.map(({ parts, answer, tookMs, shows }) => {
    const words = brief(parts[0]?.text ?? parts[0], 60);
    const used = shows.filter((kind) => kind !== answer);
    return `"${words}" triggered ${answers[answer]} in ${timeText(tookMs)}${used.length ? ` (${used.join(", ")})` : ""}`;
  });
  const open = missing.length ? `; no message triggered ${missing.join(", ")} (prompts in assay.yaml)` : "";
  const inText = isDataInVain(learned)
    ? " The card lists no text input mode, but data messages got no usable answer, so Assay sends text from here on."
    : "";
  return `Assay tried messages to find out which behaviour they trigger: ${told.join("; ")}${open}.${inText}`;
}
