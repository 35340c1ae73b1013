import type { LearnedPrompt } from "../stimuli/learned.ts";
import type {
  AgentFound,
  Depth,
  ExchangeRecorded,
  ResumedRun,
  RunEnding,
  RunSubject,
  SituationFinished,
  SpokenDialect,
} from "./events.ts";
import type { CategoryMember, ConformanceResult, InterfaceName } from "./result.ts";
import type { AgentSdk } from "./sdk-faults.ts";
import type { SlowedDown } from "./trouble.ts";
import type { Weight } from "./weight.ts";

export const conformanceLevels = ["full", "partial", "minimal", "non-conformant"] as const;
export type ConformanceLevel = (typeof conformanceLevels)[number];

export const conformanceOutcomes = ["conformant", "not-conformant", "inconclusive"] as const;
/** Whether any rule is broken, as far as was examined; inconclusive where too little was for an answer. */
export type ConformanceOutcome = (typeof conformanceOutcomes)[number];

export const scopes = ["everything", "card", "free", "filtered", "traffic"] as const;
/** What the operator asked to be examined: a run of less than everything has no level; traffic shows what others do. */
export type Scope = (typeof scopes)[number];

/** One run as one document; its JSON Schema is `packages/suite/schemas/report.json`. */
export interface ConformanceReport {
  /** of a client, its command */
  readonly agentUrl: string;
  readonly agentName: string;
  readonly agentVersion: string;
  /** ISO 8601 */
  readonly testDate: string;
  readonly subject: RunSubject;
  readonly summary: Summary;
  readonly categories: Readonly<Record<CategoryMember, readonly ConformanceResult[]>>;
  /** where both sides are judged: what each of them comes to */
  readonly parties?: { readonly agent: PartyReport; readonly client: PartyReport };
  readonly outcome: ConformanceOutcome;
  readonly scope: Scope;
  /** null where the outcome is inconclusive, or less than everything was asked for; `levelBecause` says why */
  readonly conformanceLevel: ConformanceLevel | null;
  /** why this level and no better one, in a sentence */
  readonly levelBecause: string;

  readonly run: string;
  readonly tool: { readonly name: "assay"; readonly version: string };
  readonly ruleSet: string;
  readonly depth: Depth;
  readonly strict: boolean;
  /** "cut-off" for a run whose end was never written down */
  readonly ending: RunEnding | "cut-off";
  readonly message?: string;
  readonly hint?: string;
  readonly duration_ms: number;
  readonly cardUrl?: string;
  /** SHA-256 of what the card says, in hexadecimal: its JSON without `signatures`, as RFC 8785 writes it */
  readonly cardDigest?: string;
  /** the versions that were tested, how we know of them, and the level in each */
  readonly dialects: readonly DialectReport[];
  readonly interfaces: readonly InterfaceName[];
  readonly leftOut: AgentFound["leftOut"];
  readonly capabilities?: AgentFound["capabilities"];
  /** the SDK that the agent is built with, where it was stated or recognised */
  readonly sdk?: AgentSdk;
  readonly rootCauses: readonly RootCause[];
  /** what to repair, the most important first; failures with one cause are one */
  readonly fixFirst: readonly FixFirst[];
  readonly notes: readonly string[];
  /** the agent, or a gateway, turned requests away */
  readonly slowedDown?: SlowedDown;
  /** what the prompts brought about that were tried before it was planned what to examine */
  readonly learned?: readonly LearnedPrompt[];
  /** the content of conversations was left out */
  readonly redacted?: true;
  /** the run that was cut off, and with which this one goes on: the results that name it are from there */
  readonly resumes?: ResumedRun;
  /** of a client: the situations it was put into, and how it went */
  readonly situations?: readonly Omit<SituationFinished, "event">[];
  /** the exchanges that prove the failures, where the report was asked for with them */
  readonly exchanges?: readonly Omit<ExchangeRecorded, "event">[];
}

/** The members of a report that a list of runs shows. */
export type RunHeadline = Pick<
  ConformanceReport,
  | "run"
  | "agentUrl"
  | "agentName"
  | "agentVersion"
  | "testDate"
  | "subject"
  | "outcome"
  | "scope"
  | "conformanceLevel"
  | "ending"
  | "depth"
  | "duration_ms"
  | "summary"
>;

/** All results of a report, in the order of its categories. */
export const resultsOf = ({ categories }: Pick<ConformanceReport, "categories">): ConformanceResult[] =>
  Object.values(categories).flat();

/** What one side comes to in what crossed. */
export interface PartyReport {
  readonly outcome: ConformanceOutcome;
  /** rules that were examined */
  readonly examined: number;
  readonly failed: number;
  readonly warnings: number;
}

export interface DialectReport extends SpokenDialect {
  readonly outcome: ConformanceOutcome;
  readonly conformanceLevel: ConformanceLevel | null;
  readonly levelBecause: string;
}

export interface Summary {
  /** passed + failed + skipped */
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly warnings: number;
  readonly blocked: number;
  readonly errors: number;
  /** rules that concern this agent */
  readonly applicable: number;
  /** rules among them that were examined */
  readonly examined: number;
  readonly workingMessages: number;
  /** the most that were announced */
  readonly plannedMessages: number;
  /** failures that a baseline or --ignore-known-sdk accepts */
  readonly expected: number;
  /** rules of the catalogue about agents that no check examines yet */
  readonly withoutCheck: number;
}

/** One failure that held others up; it is counted once. */
export interface RootCause {
  readonly test: string;
  readonly dialect: string;
  readonly message: string;
  readonly interface?: InterfaceName;
  /** how many results it blocked */
  readonly blocks: number;
}

/** Failures with one cause. */
export interface FixFirst {
  /** what was seen */
  readonly message: string;
  /** the rules that break by it, the gravest first */
  readonly tests: readonly string[];
  /** "JSON-RPC, HTTP+JSON", or "card" */
  readonly where: string;
  /** what fails by it, at the worst */
  readonly weight: Weight;
  /** how many results it holds up */
  readonly blocks: number;
  /** the fingerprints of the failures */
  readonly findings: readonly string[];
}
