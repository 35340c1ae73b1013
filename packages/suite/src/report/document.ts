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
  VersionsCompared,
} from "./events.ts";
import type { RunForecast } from "./forecast-document.ts";
import type { CategoryMember, ConformanceResult, InterfaceName } from "./result.ts";
import type { AgentSdk } from "./sdk-faults.ts";
import type { SlowedDown } from "./trouble.ts";
import type { Weight } from "./weight.ts";

export const conformanceLevels = ["full", "partial", "minimal", "non-conformant"] as const;
export type ConformanceLevel = (typeof conformanceLevels)[number];

export const conformanceOutcomes = ["conformant", "not-conformant", "inconclusive"] as const;
/** The outcome of a run: not conformant if an examined rule is broken, inconclusive if Assay examined too little. */
export type ConformanceOutcome = (typeof conformanceOutcomes)[number];

export const scopes = ["everything", "card", "free", "filtered", "traffic", "gateway"] as const;
/**
 * The part of the rules that the operator chose. A partial run has no level, and traffic shows only what others send.
 * A gateway has no rules of A2A at all, only properties of the traffic to preserve.
 */
export type Scope = (typeof scopes)[number];

/** One run as one document. Its JSON Schema is `packages/suite/schemas/report.json`. */
export interface ConformanceReport {
  /** for a client, its command */
  readonly agentUrl: string;
  readonly agentName: string;
  readonly agentVersion: string;
  /** ISO 8601 */
  readonly testDate: string;
  readonly subject: RunSubject;
  readonly summary: Summary;
  readonly categories: Readonly<Record<CategoryMember, readonly ConformanceResult[]>>;
  /** the results of each side, if both are judged */
  readonly parties?: { readonly agent: PartyReport; readonly client: PartyReport };
  readonly outcome: ConformanceOutcome;
  readonly scope: Scope;
  /** null if the outcome is inconclusive or the run is partial; `levelBecause` says why */
  readonly conformanceLevel: ConformanceLevel | null;
  /** why the level is not higher, in one sentence */
  readonly levelBecause: string;

  readonly run: string;
  readonly tool: { readonly name: "assay"; readonly version: string };
  readonly ruleSet: string;
  readonly depth: Depth;
  readonly strict: boolean;
  /** "cut-off" for a run without a recorded end */
  readonly ending: RunEnding | "cut-off";
  readonly message?: string;
  readonly hint?: string;
  readonly duration_ms: number;
  readonly cardUrl?: string;
  /** SHA-256 of the card in hexadecimal: its JSON without `signatures`, in RFC 8785 form */
  readonly cardDigest?: string;
  /** the tested versions, how Assay knows them, and the level in each */
  readonly dialects: readonly DialectReport[];
  readonly interfaces: readonly InterfaceName[];
  readonly leftOut: AgentFound["leftOut"];
  readonly capabilities?: AgentFound["capabilities"];
  /** the agent's SDK, if stated or recognised */
  readonly sdk?: AgentSdk;
  readonly rootCauses: readonly RootCause[];
  /** the faults to fix, most important first; failures with one cause are one entry */
  readonly fixFirst: readonly FixFirst[];
  readonly notes: readonly string[];
  /** the agent or a gateway rejected requests to slow Assay down */
  readonly slowedDown?: SlowedDown;
  /** the results of the prompts that Assay tried before planning */
  readonly learned?: readonly LearnedPrompt[];
  /** the content of conversations was removed */
  readonly redacted?: true;
  /** the interrupted run that this one resumes; results that name it come from there */
  readonly resumes?: ResumedRun;
  /** with --equivalent: what each older version and 1.0 say about the same tasks, errors and cards */
  readonly comparedVersions?: readonly Omit<VersionsCompared, "event">[];
  /** for a client: its situations and their results */
  readonly situations?: readonly Omit<SituationFinished, "event">[];
  /** the clients that work with the agent; reports add it, because it is made from the events */
  readonly forecast?: RunForecast;
  /** the exchanges that prove the failures, if the user asked for them */
  readonly exchanges?: readonly Omit<ExchangeRecorded, "event">[];
}

/** The members of a report that a list of runs shows. */
export interface RunHeadline
  extends Pick<
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
  > {
  /** the outcome in the words of every view */
  readonly answer: string;
  /** the number of different broken rules; expected failures are in the summary */
  readonly broken: number;
}

/** Returns all results of a report, in the order of its categories. */
export const resultsOf = ({ categories }: Pick<ConformanceReport, "categories">): ConformanceResult[] =>
  Object.values(categories).flat();

/** The result of one side of the recorded traffic. */
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
  /** the announced maximum */
  readonly plannedMessages: number;
  /** failures that a baseline or --ignore-known-sdk accepts */
  readonly expected: number;
  /** rules about agents that have no check yet */
  readonly withoutCheck: number;
}

/** One failure that blocked others. It counts once. */
export interface RootCause {
  readonly test: string;
  readonly dialect: string;
  readonly message: string;
  readonly interface?: InterfaceName;
  /** the number of results it blocked */
  readonly blocks: number;
}

/** Failures with one cause. */
export interface FixFirst {
  /** the observed behaviour */
  readonly message: string;
  /** the rules that it breaks, most severe first */
  readonly tests: readonly string[];
  /** "JSON-RPC, HTTP+JSON", or "card" */
  readonly where: string;
  /** the worst effect of the failure */
  readonly weight: Weight;
  /** the number of results it blocks */
  readonly blocks: number;
  /** the fingerprints of the failures */
  readonly findings: readonly string[];
}
