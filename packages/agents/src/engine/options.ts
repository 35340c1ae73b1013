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

/** What an engine works with. */
export interface EngineOptions {
  readonly store: TaskStore;
  readonly clock: Clock;
  readonly push: PushService;
  readonly relay: ChargedRelay;
  /** the skill that answers a text, and what is left of the text for it */
  readonly route: (message: Message) => { skill: Skill; argument: string };
  readonly inputModes: readonly string[];
  readonly outputModes: readonly string[];
  readonly habits?: Habits;
  /** lets the skills of all engines of a server say their events in turns; those of this engine alone unless given */
  readonly turns?: EventTurns;
  /** how large a task may grow; as large as the store lets it unless given */
  readonly limits?: TaskLimits | undefined;
  /** ends tasks that nothing happens to; without it they stay open */
  readonly expiry?: TaskExpiry;
  /** seals page tokens so that others who share the store can open them; this engine alone unless given */
  readonly tokens?: PageTokens;
  /** the page where a user authorises a task, apart from A2A */
  readonly authorisationUrl?: (call: TaskCall, taskId: string) => string | undefined;
  /** gets what went wrong in the store where no client waits for it */
  readonly onStoreError?: (error: unknown) => void;
  /** gets a task whose skill is over, and that the store could not be told so: it has to be ended later */
  readonly onUnended?: (scope: string, id: string) => void;
  /** gets what a skill threw; clients only learn that it failed */
  readonly onSkillError?: (error: unknown, skill: string) => void;
}
