import type { Artifact, StreamResponse, Task, TaskState } from "@assay/protocol";
import { contentOf } from "./content.ts";
import { brief } from "./escape.ts";
import type { Screen } from "./screen.ts";

/** Prints what an agent says, one line per event, with the time at which it came. */
export interface Timeline {
  event(at: number, event: StreamResponse): void;
  trouble(at: number, text: string): void;
}

export const stateWord = (state: TaskState): string =>
  state.replace("TASK_STATE_", "").toLowerCase().replaceAll("_", "-");

export function createTimeline({ line, colors }: Screen): Timeline {
  const chunks = new Map<string, number>();
  const row = (at: number, kind: string, text: string): void =>
    line(`${colors.dim(`${Math.round(at)} ms`.padStart(9))}  ${kind.padEnd(9)} ${text}`);

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
    row(at, "artifact", `${name.padEnd(14)} ${part ? `${part.padEnd(13)} ` : ""}${contentOf(artifact.parts)}`);
  };

  const taskRows = (at: number, task: Task): void => {
    row(at, "task", `${word(task.status.state)} ${colors.dim(task.id)}`);
    if (task.status.message) row(at, "", `says ${contentOf(task.status.message.parts)}`);
    for (const artifact of task.artifacts ?? []) artifactRow(at, artifact, false, true, false);
  };

  return {
    event(at, { task, message, statusUpdate, artifactUpdate }) {
      if (task) taskRows(at, task);
      if (message) row(at, "message", contentOf(message.parts));
      if (statusUpdate) {
        const { state, message: words } = statusUpdate.status;
        row(at, "status", `${word(state)} ${words ? contentOf(words.parts) : ""}`.trimEnd());
      }
      if (artifactUpdate) {
        const { artifact, append = false, lastChunk = false } = artifactUpdate;
        artifactRow(at, artifact, append, lastChunk, true);
      }
    },
    trouble: (at, text) => row(at, colors.red("error"), text),
  };
}
