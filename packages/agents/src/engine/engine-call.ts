import type { Extension } from "../definition/skill.ts";
import type { PushCall } from "../push/service.ts";

/** What the engine has to know of a request besides its message: whose tasks it may reach, and what applies to it. */
export interface EngineCall extends PushCall {
  /** declared by the agent and requested by the client */
  readonly extensions: readonly Extension[];
  /** the page where a user authorises a task, apart from A2A */
  readonly authorisationUrl?: (taskId: string) => string;
  /** clients name their tasks, as in 0.1: an unknown id is a new task, that of an ended one begins it again */
  readonly clientIds?: boolean;
  /** a send waits this long for its task to rest, and answers with what there is then; without end unless given */
  readonly patienceMs?: number | undefined;
}
