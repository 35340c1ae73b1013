import type { Message } from "@assay/protocol";
import type { Habits } from "../definition/agent.ts";
import type { TaskCall } from "../definition/call.ts";
import type { Clock } from "../definition/clock.ts";
import type { Skill } from "../definition/skill.ts";
import type { ChargedRelay } from "../outbound/relay-budget.ts";
import type { PushService } from "../push/service.ts";
import type { TaskStore } from "../store/store.ts";
import type { EventTurns } from "./event-turns.ts";
import type { TaskExpiry } from "./expiry.ts";
import type { TaskLimits } from "./growth.ts";
import type { PageTokens } from "./page-token.ts";

/** The dependencies of an engine. */
export interface EngineOptions {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly push: PushService;
  readonly relay: ChargedRelay;
  /** the skill that answers a text, and the rest of the text for it */
  readonly route: (message: Message) => { skill: Skill; argument: string };
  readonly inputModes: readonly string[];
  readonly outputModes: readonly string[];
  readonly habits?: Habits;
  /** shares turns between the skills of all engines of a server (default: those of this engine) */
  readonly turns?: EventTurns;
  /** size limits of a task (default: those of the store) */
  readonly limits?: TaskLimits | undefined;
  /** ends tasks without activity; without it they stay open */
  readonly expiry?: TaskExpiry;
  /** seals page tokens so that servers with the same store can read them (default: this engine only) */
  readonly tokens?: PageTokens;
  /** the page where a user authorises a task, outside A2A */
  readonly authorisationUrl?: (call: TaskCall, taskId: string) => string | undefined;
  /** receives store errors that no client waits for */
  readonly onStoreError?: (error: unknown) => void;
  /** receives a task whose skill is done but whose end could not be stored: it must be ended later */
  readonly onUnended?: (scope: string, id: string) => void;
  /** receives errors thrown by skills; clients only learn that the skill failed */
  readonly onSkillError?: (error: unknown, skill: string) => void;
}
