import { bindingName } from "@assay/suite/report";
import type { TalkInterface, TaskState } from "../../documents/talk.ts";

/** Returns a state in lower case with hyphens, such as "input-required", as versions before 1.0 wrote it. */
export const stateWord = (state: TaskState | string): string =>
  state
    .replace(/^TASK_STATE_/, "")
    .toLowerCase()
    .replaceAll("_", "-");

const terminal: ReadonlySet<string> = new Set(["completed", "failed", "canceled", "rejected"]);

export const isTerminal = (state: TaskState): boolean => terminal.has(stateWord(state));

/** Returns true if the agent waits for the client. */
export const isInterrupted = (state: TaskState): boolean => /-required$/.test(stateWord(state));

/** Returns a name such as "JSON-RPC 1.0", with the tenant if there is one. */
export const wireName = ({ binding, dialect, tenant }: Pick<TalkInterface, "binding" | "dialect" | "tenant">): string =>
  `${bindingName(binding)} ${dialect ?? "of an unknown version"}${tenant ? `, tenant ${tenant}` : ""}`;

/** Returns the start of a long id, where ids differ most. */
export const shortId = (id: string): string => (id.length > 12 ? `${id.slice(0, 8)}…` : id);

export const sizeWord = (bytes: number): string =>
  bytes < 1_000
    ? `${bytes} B`
    : bytes < 1_000_000
      ? `${(bytes / 1_000).toFixed(1)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`;
