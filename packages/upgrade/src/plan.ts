import type { DialectVersion, JsonObject, Operation } from "@assay/protocol";
import type { SideRow } from "@assay/viewer/documents";
import type { CardChange } from "./card/card-changes.ts";
import type { ClientSupport } from "./clients/client-support.ts";
import type { SdkMigration } from "./sdk-migrations.ts";
import type { Change } from "./traffic/changes.ts";

/** Everything that has to change for 1.0, made from one run. */
export interface UpgradePlan {
  readonly format: "assay-upgrade-plan/1";
  readonly tool: { readonly name: "assay"; readonly version: string };
  readonly run: string;
  /** ISO 8601 */
  readonly at: string;
  readonly agent: { readonly name: string; readonly version: string; readonly url: string; readonly cardUrl: string };
  /** the versions that the agent speaks today, newest first */
  readonly speaks: readonly DialectVersion[];
  /** the version to upgrade from: the newest before 1.0 */
  readonly from: Exclude<DialectVersion, "1.0">;
  readonly to: "1.0";
  /** the agent's SDK, if recognised or stated */
  readonly sdk?: { readonly because: string; readonly migration?: SdkMigration };
  readonly messages: { readonly sent: number; readonly announced: number };
  readonly cards: { readonly next: CardPlan; readonly both: CardPlan };
  /** the kinds of changes in the traffic, with one example each */
  readonly changes: readonly TrafficChange[];
  /** the kinds of changes that can concern the agent, and that the traffic did not show */
  readonly unseen: readonly Change[];
  /** the reason if the agent accepted no message, so that the plan shows no task */
  readonly unsent?: string;
  readonly operations: readonly OperationPlan[];
  readonly errors: readonly ErrorPlan[];
  readonly clients: ClientsPlan;
  readonly steps: readonly UpgradeStep[];
}

export interface CardPlan {
  readonly card: JsonObject;
  /** the card next to the one of today */
  readonly sides: readonly SideRow[];
  readonly changes: readonly CardChange[];
  /** data that 1.0 requires and the old card lacks */
  readonly toDo: readonly string[];
}

export interface TrafficChange extends Change {
  readonly example: string;
  readonly operations: readonly Operation[];
}

/** The name of an operation on a binding. */
export interface OperationName {
  readonly binding: string;
  /** absent if the version has no such operation */
  readonly today?: string;
  readonly next: string;
}

/** One operation: its names, what changes in its behaviour, and its recorded traffic in both versions. */
export interface OperationPlan {
  readonly operation: Operation;
  readonly names: readonly OperationName[];
  /** requirements of 1.0 that a translation does not show */
  readonly behaviour: readonly Behaviour[];
  readonly samples: readonly Sample[];
  /** the reason if the run recorded no traffic */
  readonly unrecorded?: string;
}

export interface Behaviour {
  readonly rule: string;
  readonly text: string;
  /** the behaviour that the traffic shows */
  readonly today?: string;
  /** absent if the traffic does not show it */
  readonly isMet?: boolean;
}

/** A recorded exchange, today and in 1.0. */
export interface Sample {
  readonly binding: string;
  readonly dialect: DialectVersion;
  /** the id of the exchange in the run */
  readonly exchange: string;
  /** the activity of the run at that time, as in "a stream of a task" */
  readonly during?: string;
  /** the error of the response, as 1.0 names it */
  readonly error?: string;
  readonly request: readonly SideRow[];
  readonly response: readonly SideRow[];
  /** ids of `changes` */
  readonly changes: readonly string[];
  /** places at which the response breaks its own version; repair them first */
  readonly faults: readonly string[];
}

/** An error that the agent returned, and its form in 1.0. */
export interface ErrorPlan {
  readonly error: string;
  readonly binding: string;
  readonly operations: readonly Operation[];
  /** "-32001" or "HTTP 409" */
  readonly today: string;
  readonly next: string;
}

export interface ClientsPlan {
  /** clients that speak the version to upgrade from, and not 1.0 */
  readonly breaking: readonly ClientSupport[];
  /** clients that speak 1.0 */
  readonly ready: readonly ClientSupport[];
}

/** A step of the switch, and the command that shows that it is done. */
export interface UpgradeStep {
  readonly title: string;
  readonly does: readonly string[];
  readonly gate: string;
  /** the meaning of a passed gate */
  readonly proves: string;
}
