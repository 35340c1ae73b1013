import type { HarEntry } from "@assay/wire";
import type { LearnedPrompt } from "../stimuli/learned.ts";
import type { ConformanceResult, InterfaceName } from "./result.ts";
import type { AgentSdk } from "./sdk-faults.ts";
import type { SlowedDown } from "./trouble.ts";
import type { Status } from "./verdict.ts";

export const depths = ["card", "free", "quick", "full"] as const;
/** The depths of a test: only the card, no messages, a few messages, or everything. */
export type Depth = (typeof depths)[number];

/** The cost of each depth. Every message makes the agent work and may be a paid model call. */
export const depthCosts: Readonly<Record<Depth, string>> = {
  card: "only the card",
  free: "no messages",
  quick: "at most 8 messages",
  full: "everything, at most 40 messages per interface",
};

/**
 * The events of a run, in order. A recording is the list of its events as JSON lines. Every report can be made from
 * it, even if the run stopped early.
 */
export type RunEvent =
  | RunStarted
  | AgentFound
  | SituationStarted
  | SituationFinished
  | Planned
  | Estimated
  | Learned
  | Observing
  | Observed
  | LifecycleSeen
  | SkillTried
  | PeerTried
  | VersionsCompared
  | SdkRecognised
  | CheckStarted
  | ExchangeRecorded
  | CheckFinished
  | Noted
  | RunFinished;

export const runSubjects = ["agent", "client", "pair", "gateway"] as const;
/** The subject of the run: an agent, a client, both sides of recorded traffic, or a gateway between them. */
export type RunSubject = (typeof runSubjects)[number];

export interface RunStarted {
  readonly event: "run-started";
  /** the subject (default: an agent) */
  readonly subject?: RunSubject;
  readonly run: string;
  readonly at: string;
  readonly tool: { readonly name: "assay"; readonly version: string };
  readonly ruleSet: string;
  /** for a client, its command */
  readonly agentUrl: string;
  readonly depth: Depth;
  readonly strict: boolean;
  /** --only or --skip excluded rules */
  readonly filtered?: true;
  /** the content of conversations was removed */
  readonly redacted?: true;
  /** known faults of the agent's SDK are accepted */
  readonly ignoreKnownSdk?: true;
  /** the options that decide what is examined, by name */
  readonly asked?: Readonly<Record<string, string>>;
  /** the run that this one resumes; results that name it come from there */
  readonly resumes?: ResumedRun;
}

/** The part of an interrupted run that a resumed run keeps. */
export interface ResumedRun {
  readonly run: string;
  readonly at: string;
  /** the number of results it keeps */
  readonly results: number;
  /** the number of messages that run had sent */
  readonly workingMessages: number;
  readonly duration_ms: number;
}

export interface AgentFound {
  readonly event: "agent-found";
  readonly cardUrl: string;
  /** identical for the same card: SHA-256 of its JSON without `signatures` */
  readonly cardDigest?: string;
  readonly name: string;
  readonly version: string;
  /** the tested versions, and how Assay knows that the agent speaks them */
  readonly dialects: readonly SpokenDialect[];
  /** the interfaces that are tested */
  readonly interfaces: readonly InterfaceName[];
  /** interfaces of the card that are not tested, and why */
  readonly leftOut: readonly LeftOut[];
  readonly capabilities: {
    readonly streaming: boolean;
    readonly pushNotifications: boolean;
    readonly extendedAgentCard: boolean;
  };
}

export interface LeftOut {
  readonly interface: InterfaceName;
  readonly because: string;
  /** not chosen by the operator: a blocked host, a name that does not resolve, an unsupported binding */
  readonly forced?: true;
  /** a supported interface at an address that may not receive the operator's credentials */
  readonly withheld?: true;
}

export interface SpokenDialect {
  readonly dialect: string;
  readonly because: string;
  /** absent if the agent serves the version without declaring it: then nothing fails */
  readonly declared?: true;
  /** the address of the card for clients of that version, if there is one */
  readonly cardUrl?: string;
}

/** A client starts a situation. */
export interface SituationStarted {
  readonly event: "situation-started";
  readonly situation: string;
  /** the expected behaviour of the client, in one sentence */
  readonly asks: string;
  /** the interface that the agent offers, if there is only one */
  readonly interface?: InterfaceName;
}

export const situationEndings = [
  /** the command ended by itself */
  "done",
  /** the client declined: exit code 75 */
  "declined",
  "time-over",
  /** the command could not be started */
  "not-started",
] as const;
export type SituationEnding = (typeof situationEndings)[number];

/** The result of one run of a client's command. Its output is kept up to a limit. */
export interface CommandOutcome {
  readonly exit?: number;
  readonly signal?: string;
  readonly output: string;
  readonly errors: string;
  /** bytes of output beyond the limit */
  readonly dropped: number;
  readonly duration_ms: number;
}

export interface SituationFinished {
  readonly event: "situation-finished";
  readonly situation: string;
  readonly interface?: InterfaceName;
  readonly ended: SituationEnding;
  /** a remark on the result */
  readonly because?: string;
  /** the number of requests that the client sent */
  readonly requests: number;
  /** the number of calls that the agent answered with a result; absent in older recordings */
  readonly accepted?: number;
  readonly runs: readonly CommandOutcome[];
}

export interface Planned {
  readonly event: "planned";
  /** the number of results to expect */
  readonly checks: number;
  /** the number of rules they cover */
  readonly rules: number;
  /** the maximum number of messages */
  readonly workingMessages: number;
  /** malformed messages that the agent may accept in addition before Assay stops sending them: one per interface */
  readonly ifAccepted?: number;
  /** addresses of other hosts that messages ask the agent to fetch, with `--rude` */
  readonly contacts?: readonly string[];
  /** rules about agents that have no check yet */
  readonly withoutCheck: number;
}

/** Sent after the first response: the time the agent takes for a message, and the remaining work. */
export interface Estimated {
  readonly event: "estimated";
  readonly perMessageMs: number;
  readonly totalMs: number;
}

/** The results of the prompts that the run tried before planning; empty if none were missing. */
export interface Learned {
  readonly event: "learned";
  readonly prompts: readonly LearnedPrompt[];
}

/** The current activity of the run, as in "a stream of a task". */
export interface Observing {
  readonly event: "observing";
  readonly what: string;
  readonly interface?: InterfaceName;
}

/**
 * The reasons for which an observation waits, besides responses: its turn, a working task, an event that is due, an
 * event that must not happen, the next attempt.
 */
export const waitsFor = ["turn", "work", "due", "pause", "retry"] as const;

/** Milliseconds since the start of the run. */
export interface ObservationWait {
  readonly for: (typeof waitsFor)[number];
  readonly from: number;
  readonly to: number;
}

/**
 * An observation has ended, or a check that waited itself. Lists its waits, without its exchanges, in milliseconds
 * since the start of the run.
 */
export interface Observed {
  readonly event: "observed";
  readonly what: string;
  readonly interface?: InterfaceName;
  readonly from: number;
  readonly to: number;
  readonly waits: readonly ObservationWait[];
}

/** The response to a plain message on an interface. The report decides if it is enough for a level. */
export interface LifecycleSeen {
  readonly event: "lifecycle-seen";
  readonly interface: InterfaceName;
  readonly answer: LifecycleAnswer;
}

/** A task is named by its end state; `unfinished` if it was still working at the time limit. */
export const lifecycleAnswers = [
  "message",
  "completed",
  "waiting",
  "failed",
  "unfinished",
  "refused",
  "silence",
] as const;
export type LifecycleAnswer = (typeof lifecycleAnswers)[number];

/** The response of a skill to its first example, or the reason why Assay did not try it. */
export type SkillTried = {
  readonly event: "skill-tried";
  readonly skill: string;
  readonly interface: InterfaceName;
} & (
  | { readonly answer: LifecycleAnswer; readonly untried?: undefined }
  | { readonly answer?: undefined; readonly untried: "no-example" | "budget" }
);

export const peerTests = ["discovers", "a-to-b", "b-to-a", "concurrent"] as const;

/** The result of two agents together: A is the agent under test, B the agent that --peer names. */
export interface PeerTried {
  readonly event: "peer-tried";
  readonly test: (typeof peerTests)[number];
  readonly status: Status;
  readonly message?: string;
}

/** The subjects of a comparison between two versions, in their order. */
export const comparedSubjects = [
  "card",
  "task from the older version",
  "task from 1.0",
  "id and context",
  "state",
  "status message",
  "artifacts",
  "history",
  "list",
  "cancelled task",
  "unknown task",
  "cancel of an ended task",
] as const;
export type ComparedSubject = (typeof comparedSubjects)[number];

export const comparisonOutcomes = ["same", "differs", "not-compared"] as const;

/** One subject in two versions. */
export interface VersionComparison {
  readonly subject: ComparedSubject;
  readonly is: (typeof comparisonOutcomes)[number];
  /** the difference, or why nothing was compared */
  readonly message?: string;
  /** ids of the exchanges that show a difference */
  readonly evidence?: readonly string[];
}

/** With `--equivalent`: an interface of an older version next to the one of 1.0. Not a verdict on the agent. */
export interface VersionsCompared {
  readonly event: "versions-compared";
  readonly older: InterfaceName;
  readonly newer: InterfaceName;
  readonly comparisons: readonly VersionComparison[];
}

/** The agent's SDK, as the operator states it, or recognised by texts that only this SDK writes. */
export interface SdkRecognised extends AgentSdk {
  readonly event: "sdk-recognised";
}

export interface CheckStarted {
  readonly event: "check-started";
  readonly test: string;
  readonly title: string;
  readonly interface?: InterfaceName;
}

/** `during` of the exchange that requests the card without credentials. */
export const cardWithoutLoginName = "the card without credentials";

export interface ExchangeRecorded {
  readonly event: "exchange";
  readonly id: string;
  /** absent for requests that call no operation, such as for the card */
  readonly operation?: string;
  readonly interface?: InterfaceName;
  /** the purpose, as in "a stream of a task" */
  readonly during?: string;
  /** counts as a message */
  readonly working?: true;
  /** masked; `_id` is the id above */
  readonly entry: HarEntry;
}

/** A more severe result about the same rule and interface may follow and replace this one. */
export interface CheckFinished {
  readonly event: "check-finished";
  readonly result: ConformanceResult;
}

/** A fact for the reader that is not a verdict, for example that a host was not contacted. */
export interface Noted {
  readonly event: "note";
  readonly text: string;
}

/** The ways a run ends. All except `done` say why no more could be examined. */
export const runEndings = [
  "done",
  "interrupted",
  /** no response from the given address */
  "unreachable",
  /** Assay may not contact the given address */
  "egress-refused",
  "no-card",
  "login-required",
  "payment-required",
  /** the card lists no interface at all */
  "no-interface",
  /** the card lists interfaces, but Assay can use none: custom bindings, blocked hosts, names that do not resolve */
  "no-usable-interface",
  /** the agent answered at first, and later no interface did */
  "agent-gone",
  /** the process that Assay started exited, and no request is known to end it */
  "agent-exited",
  /** the run reached its time limit */
  "time-over",
] as const;
export type RunEnding = (typeof runEndings)[number];

export interface RunFinished {
  readonly event: "run-finished";
  readonly at: string;
  readonly ending: RunEnding;
  readonly duration_ms: number;
  readonly workingMessages: number;
  readonly slowedDown?: SlowedDown;
  /** for a run that could not start: what happened, and what to do */
  readonly message?: string;
  readonly hint?: string;
}
