import type { ConformanceResult } from "@assay/suite/report";
import type { AgentClass, ClassReason } from "../classes/agent-class.ts";
import type { FleetVerdict, Sweep } from "../ledger/verdict.ts";
import type { ChangeKind, FleetChange } from "./changes.ts";

/** The state of a fleet after a sweep; its JSON Schema is `packages/fleet/schemas/fleet-report.json`. */
export interface FleetReport {
  readonly version: 1;
  readonly tool: { readonly name: "assay"; readonly version: string };
  readonly fleet: string;
  readonly sweep: Sweep;
  /** the earlier sweep for the changes; absent for the first sweep */
  readonly comparedWith?: Sweep;
  /** number of agents in each class, without empty classes */
  readonly classes: Readonly<Partial<Record<AgentClass, number>>>;
  /** best first */
  readonly agents: readonly FleetRow[];
  readonly changes: readonly FleetChange[];
  /** the rules that most agents break, most common first */
  readonly failures: readonly CommonFailure[];
  /** the reasons of agents that do not work, most common first */
  readonly reasons: readonly CommonReason[];
  /** by SDK or framework, if known */
  readonly builtWith: readonly BuiltWithRow[];
}

/** One agent in the league. */
export interface FleetRow
  extends Pick<
    FleetVerdict,
    | "agent"
    | "url"
    | "labels"
    | "class"
    | "outcome"
    | "level"
    | "examined"
    | "broken"
    | "builtWith"
    | "at"
    | "run"
    | "unchanged"
    | "attempts"
    | "duration_ms"
  > {
  readonly place: number;
  readonly reason: Omit<ClassReason, "evidence">;
  readonly change?: ChangeKind;
}

export interface CommonFailure extends Pick<ConformanceResult, "level" | "title" | "section" | "specUrl" | "remedy"> {
  readonly rule: string;
  readonly agents: number;
  /** some of them */
  readonly examples: readonly string[];
}

export interface CommonReason {
  readonly class: AgentClass;
  readonly code: string;
  readonly agents: number;
  readonly remedy: string;
  readonly examples: readonly string[];
}

export interface BuiltWithRow {
  readonly name: string;
  readonly agents: number;
  readonly classes: Readonly<Partial<Record<AgentClass, number>>>;
  /** the rule that most of them break */
  readonly failure?: { readonly rule: string; readonly agents: number };
}
