import type { Message, Task } from "@assay/protocol";
import type { Habits } from "../agent.ts";
import type { Clock } from "../clock.ts";
import type { Extension, Relay, Skill } from "../define.ts";
import type { PushService, WebhookBody } from "../push/service.ts";
import type { TaskStore } from "../store/store.ts";

/** Who calls, and under which conditions. */
export interface Call {
  /** the room of tasks the caller lives in: agent, tenant and principal */
  readonly scope: string;
  /** declared by the agent and asked for by the client */
  readonly extensions: readonly Extension[];
  /** clients name their tasks, as in 0.1: an unknown id is a new task, that of an ended one begins it again */
  readonly clientIds?: boolean;
  /** what webhooks that the caller registers are told, where that is not the event itself */
  readonly webhookBody?: WebhookBody;
}

export interface EngineOptions {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly push: PushService;
  readonly relay: Relay;
  /** the skill that answers a text, and what is left of the text for it */
  readonly route: (message: Message) => { skill: Skill; argument: string };
  readonly inputModes: readonly string[];
  readonly outputModes: readonly string[];
  readonly habits?: Habits;
  /** told what a skill threw; clients only learn that it failed */
  readonly onSkillError?: (error: unknown, skill: string) => void;
}

/** What names a task to everybody. */
export interface Ids {
  readonly id: string;
  readonly contextId: string;
}

export const idsOf = (task: Task): Ids => ({ id: task.id, contextId: task.contextId ?? "" });
