import type { Artifact, Message, StreamResponse, Task, TaskState } from "@assay/protocol";
import { contentOf, wholeContentOf } from "./content.ts";
import { brief } from "./escape.ts";
import type { Screen } from "./screen.ts";
import { widthOf } from "./width.ts";

/** Prints the events of an agent, one per line, with their times. */
export interface Timeline {
  event(at: number, event: StreamResponse): void;
  trouble(at: number, text: string): void;
}

export const stateWord = (state: TaskState): string =>
  state.replace("TASK_STATE_", "").toLowerCase().replaceAll("_", "-");

/** The minimum width at which replies are shown in full. */
const wide = 100;

export function createTimeline({ line, colors, isTerminal, size }: Screen): Timeline {
  const chunks = new Map<string, number>();
  const row = (at: number, kind: string, text: string): void =>
    line(`${colors.dim(`${Math.round(at)} ms`.padStart(9))}  ${kind.padEnd(9)} ${text}`.trimEnd());

  /** Prints a row with the content of a response, cut to one line on a narrow screen. */
  const saying = (at: number, kind: string, before: string, parts: Message["parts"]): void => {
    const { columns } = size();
    if (!isTerminal || columns < wide) {
      row(at, kind, `${before}${contentOf(parts)}`);
      return;
    }
    const indent = 21 + widthOf(before);
    const [first = "", ...rest] = wholeContentOf(parts, columns - indent - 1);
    row(at, kind, `${before}${first}`);
    for (const more of rest) line(`${" ".repeat(indent)}${more}`);
  };

  const word = (state: TaskState): string => {
    const plain = stateWord(state).padEnd(14);
    if (state === "TASK_STATE_COMPLETED") return colors.green(plain);
    if (state === "TASK_STATE_FAILED" || state === "TASK_STATE_REJECTED") return colors.red(plain);
    return state === "TASK_STATE_INPUT_REQUIRED" || state === "TASK_STATE_AUTH_REQUIRED" ? colors.yellow(plain) : plain;
  };

  const artifactRow = (at: number, artifact: Artifact, append: boolean, last: boolean, streamed: boolean): void => {
    const name = brief(artifact.name ?? artifact.artifactId, 30);
    const chunk = append ? (chunks.get(artifact.artifactId) ?? 0) + 1 : 1;
    chunks.set(artifact.artifactId, chunk);
    const part = !streamed || (last && chunk === 1) ? "" : `${append ? "+" : ""}chunk ${chunk}${last ? " last" : ""}`;
    saying(at, "artifact", `${name.padEnd(14)} ${part ? `${part.padEnd(13)} ` : ""}`, artifact.parts);
  };

  const taskRows = (at: number, task: Task): void => {
    row(at, "task", `${word(task.status.state)} ${colors.dim(task.id)}`);
    if (task.status.message) saying(at, "", "says ", task.status.message.parts);
    for (const artifact of task.artifacts ?? []) artifactRow(at, artifact, false, true, false);
  };

  return {
    event(at, { task, message, statusUpdate, artifactUpdate }) {
      if (task) taskRows(at, task);
      if (message) saying(at, "message", "", message.parts);
      if (statusUpdate) {
        const { state, message: words } = statusUpdate.status;
        if (words) saying(at, "status", `${word(state)} `, words.parts);
        else row(at, "status", word(state).trimEnd());
      }
      if (artifactUpdate) {
        const { artifact, append = false, lastChunk = false } = artifactUpdate;
        artifactRow(at, artifact, append, lastChunk, true);
      }
    },
    trouble: (at, text) => row(at, colors.red("error"), text),
  };
}
