import { bindingName } from "@assay/suite/report";
import type { TalkInterface, TaskState } from "../../api/talk/documents.ts";

/** "input-required": as the versions before 1.0 wrote it, and as people say it. */
export const stateWord = (state: TaskState | string): string =>
  state
    .replace(/^TASK_STATE_/, "")
    .toLowerCase()
    .replaceAll("_", "-");

const terminal: ReadonlySet<string> = new Set(["completed", "failed", "canceled", "rejected"]);

export const isTerminal = (state: TaskState): boolean => terminal.has(stateWord(state));

/** The agent waits for the client. */
export const isInterrupted = (state: TaskState): boolean => /-required$/.test(stateWord(state));

/** "JSON-RPC 1.0", and the tenant where there is one. */
export const wireName = ({ binding, dialect, tenant }: Pick<TalkInterface, "binding" | "dialect" | "tenant">): string =>
  `${bindingName(binding)} ${dialect ?? "of an unknown version"}${tenant ? `, tenant ${tenant}` : ""}`;

/** Long ids differ at their beginning. */
export const shortId = (id: string): string => (id.length > 12 ? `${id.slice(0, 8)}…` : id);

/** "12 ms", "2.0 s": as precise as is worth reading. */
export const timeWord = (ms: number): string =>
  ms < 9.95
    ? `${ms.toFixed(1)} ms`
    : ms < 10_000
      ? ms < 1_000
        ? `${Math.round(ms)} ms`
        : `${(ms / 1_000).toFixed(1)} s`
      : `${Math.round(ms / 1_000)} s`;

export const sizeWord = (bytes: number): string =>
  bytes < 1_000
    ? `${bytes} B`
    : bytes < 1_000_000
      ? `${(bytes / 1_000).toFixed(1)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`;
