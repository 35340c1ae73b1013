import type { HarEntry } from "@assay/wire";
import type { LearnedPrompt } from "../stimuli/learned.ts";
import type { ConformanceResult, InterfaceName } from "./result.ts";
import type { AgentSdk } from "./sdk-faults.ts";
import type { SlowedDown } from "./trouble.ts";
import type { Status } from "./verdict.ts";

export const depths = ["card", "free", "quick", "full"] as const;
/** How much is asked of the agent: only its card, no message, a few messages, everything. */
export type Depth = (typeof depths)[number];

/** What each depth costs; a message is what the agent works on, and may be a model call that costs money. */
export const depthCosts: Readonly<Record<Depth, string>> = {
  card: "only the card",
  free: "no messages",
  quick: "at most 8 messages",
  full: "everything, at most 40 messages per interface",
};

/**
 * What happens during a run, as it happens. A run is the list of its events: written down as lines of JSON, every
 * report can be made from them, also from those of a run that was cut off.
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
  | SdkRecognised
  | CheckStarted
  | ExchangeRecorded
  | CheckFinished
  | Noted
  | RunFinished;

export const runSubjects = ["agent", "client", "pair"] as const;
/** Who is examined: an agent, a client, or both sides of what crossed between two. */
export type RunSubject = (typeof runSubjects)[number];

export interface RunStarted {
  readonly event: "run-started";
  /** an agent unless told */
  readonly subject?: RunSubject;
  readonly run: string;
  readonly at: string;
  readonly tool: { readonly name: "assay"; readonly version: string };
  readonly ruleSet: string;
  /** of a client, its command */
  readonly agentUrl: string;
  readonly depth: Depth;
  readonly strict: boolean;
  /** --only or --skip left rules out */
  readonly filtered?: true;
  /** the content of conversations was left out */
  readonly redacted?: true;
  /** known faults of the agent's SDK are accepted */
  readonly ignoreKnownSdk?: true;
  /** what was asked for, by the name of each option that decides what is examined */
  readonly asked?: Readonly<Record<string, string>>;
  /** the run that this one goes on with: the results that name it are from there */
  readonly resumes?: ResumedRun;
}

/** What a run that was cut off has left to the one that goes on. */
export interface ResumedRun {
  readonly run: string;
  readonly at: string;
  /** how many results are kept */
  readonly results: number;
  /** how many messages it had sent */
  readonly workingMessages: number;
  readonly duration_ms: number;
}

export interface AgentFound {
  readonly event: "agent-found";
  readonly cardUrl: string;
  /** the same for the same card: SHA-256 of its JSON without `signatures` */
  readonly cardDigest?: string;
  readonly name: string;
  readonly version: string;
  /** the versions that are tested, and how we know that the agent speaks them */
  readonly dialects: readonly SpokenDialect[];
  /** the interfaces that are tested */
  readonly interfaces: readonly InterfaceName[];
  /** interfaces on the card that are not, and why */
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
  /** by no choice of the operator: our guard, a name that does not resolve, a binding that we do not speak */
  readonly forced?: true;
  /** one that we speak, at an address where the operator's credentials may not be shown */
  readonly withheld?: true;
}

export interface SpokenDialect {
  readonly dialect: string;
  readonly because: string;
  /** absent where the agent answers to it and does not claim it: then nothing fails */
  readonly declared?: true;
  /** where clients of that version find the card, where they do */
  readonly cardUrl?: string;
}

/** A client is put into a situation: it faces an agent, and is asked to do something. */
export interface SituationStarted {
  readonly event: "situation-started";
  readonly situation: string;
  /** what the client is expected to do, in a sentence */
  readonly asks: string;
  /** the interface that the agent offers, where it is one */
  readonly interface?: InterfaceName;
}

export const situationEndings = [
  /** the command ran to its end */
  "done",
  /** it did not want to: exit code 75 */
  "declined",
  "time-over",
  /** the command could not be started */
  "not-started",
] as const;
export type SituationEnding = (typeof situationEndings)[number];

/** What one run of a client's command came to; what it wrote is kept, cut to size. */
export interface CommandOutcome {
  readonly exit?: number;
  readonly signal?: string;
  readonly output: string;
  readonly errors: string;
  /** bytes of its output that were not kept */
  readonly dropped: number;
  readonly duration_ms: number;
}

export interface SituationFinished {
  readonly event: "situation-finished";
  readonly situation: string;
  readonly interface?: InterfaceName;
  readonly ended: SituationEnding;
  /** what is worth knowing about how it went */
  readonly because?: string;
  /** how many requests the client sent */
  readonly requests: number;
  readonly runs: readonly CommandOutcome[];
}

export interface Planned {
  readonly event: "planned";
  /** how many results there will be */
  readonly checks: number;
  /** how many rules they are about */
  readonly rules: number;
  /** messages: the most that will be sent */
  readonly workingMessages: number;
  /** beside them, malformed messages that the agent may accept before no more are sent: one for each interface */
  readonly ifAccepted?: number;
  /** addresses of others that messages tell the agent to fetch, with `--rude` */
  readonly contacts?: readonly string[];
  /** rules of the catalogue about agents that no check examines yet */
  readonly withoutCheck: number;
}

/** After the first answer: how long the agent takes for a message, and what is left to do. */
export interface Estimated {
  readonly event: "estimated";
  readonly perMessageMs: number;
  readonly totalMs: number;
}

/** What the prompts brought about that the run tried before it planned; none where nothing was missing. */
export interface Learned {
  readonly event: "learned";
  readonly prompts: readonly LearnedPrompt[];
}

/** What the run is doing at this moment, as in "a stream of a task". */
export interface Observing {
  readonly event: "observing";
  readonly what: string;
  readonly interface?: InterfaceName;
}

/** What an observation waits for besides answers: its turn, a task at work, what is due, what shall not come, the next try. */
export const waitsFor = ["turn", "work", "due", "pause", "retry"] as const;

/** Milliseconds since the run began. */
export interface ObservationWait {
  readonly for: (typeof waitsFor)[number];
  readonly from: number;
  readonly to: number;
}

/** An observation is over, or a check that waited for something itself; what its time went on, its exchanges aside. Milliseconds since the run began. */
export interface Observed {
  readonly event: "observed";
  readonly what: string;
  readonly interface?: InterfaceName;
  readonly from: number;
  readonly to: number;
  readonly waits: readonly ObservationWait[];
}

/**
 * How a plain message was answered over an interface: what the core of the lifecycle came to. Whether that is enough for
 * a level is for the report to say.
 */
export interface LifecycleSeen {
  readonly event: "lifecycle-seen";
  readonly interface: InterfaceName;
  readonly answer: LifecycleAnswer;
}

/** A task is told by how it ended; `unfinished` while it was still at work when the time was over. */
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

/** How a skill answered its first example, where the operator asked for skills to be tried; or why it was not tried. */
export type SkillTried = {
  readonly event: "skill-tried";
  readonly skill: string;
  readonly interface: InterfaceName;
} & (
  | { readonly answer: LifecycleAnswer; readonly untried?: undefined }
  | { readonly answer?: undefined; readonly untried: "no-example" | "budget" }
);

export const peerTests = ["discovers", "a-to-b", "b-to-a", "concurrent"] as const;

/** What two agents showed together: A is the agent under test, B the one that --peer names. */
export interface PeerTried {
  readonly event: "peer-tried";
  readonly test: (typeof peerTests)[number];
  readonly status: Status;
  readonly message?: string;
}

/** The SDK that the agent is built with: as the operator states it, or by what only that SDK writes. */
export interface SdkRecognised extends AgentSdk {
  readonly event: "sdk-recognised";
}

export interface CheckStarted {
  readonly event: "check-started";
  readonly test: string;
  readonly title: string;
  readonly interface?: InterfaceName;
}

/** `during` of the exchange that asks for the card without credentials. */
export const cardWithoutLoginName = "the card without credentials";

export interface ExchangeRecorded {
  readonly event: "exchange";
  readonly id: string;
  /** absent for what is no call of an operation, such as the card */
  readonly operation?: string;
  readonly interface?: InterfaceName;
  /** what it was sent for, as in "a stream of a task" */
  readonly during?: string;
  /** counts as a message */
  readonly working?: true;
  /** masked; `_id` is the id above */
  readonly entry: HarEntry;
}

/** A graver result about the same rule and interface may follow, and takes the place of this one. */
export interface CheckFinished {
  readonly event: "check-finished";
  readonly result: ConformanceResult;
}

/** Something the reader should know that is no verdict, as that a host was not contacted. */
export interface Noted {
  readonly event: "note";
  readonly text: string;
}

/** How a run ended; every one but `done` says why no more could be examined. */
export const runEndings = [
  "done",
  "interrupted",
  /** no answer from the address that was named */
  "unreachable",
  /** our own guard does not let us contact the address that was named */
  "egress-refused",
  "no-card",
  "login-required",
  "payment-required",
  /** the card lists no interface at all */
  "no-interface",
  /** it lists some, and none of them can be spoken to: custom bindings, hosts we may not contact, names that do not resolve */
  "no-usable-interface",
  /** the agent answered, and then no interface did any more */
  "agent-gone",
  /** the process that we started exited meanwhile, and no request is known to end it */
  "agent-exited",
  /** the time that the run may take is over */
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
  /** for a run that could not begin: what happened, and what to do */
  readonly message?: string;
  readonly hint?: string;
}
