import { isLoopback, type Operation } from "@assay/protocol";
import { type Arrived, defaultTimeouts, type PeerInterface, sleepAwake, timeLimit } from "@assay/wire";
import { isSend } from "../answers/operations-of.ts";
import { ruleSetOf } from "../card/declared-draft.ts";
import type { Call } from "../define/call.ts";
import type { Observation } from "../define/observation.ts";
import { skipped } from "../define/obstacle.ts";
import type { PrincipalName } from "../define/principal.ts";
import type { Depth } from "../report/events.ts";
import type { SlowedDown } from "../report/trouble.ts";
import { type RuleSet, ruleIn } from "../rules/catalogue.ts";
import { withLearned } from "../stimuli/brought-about.ts";
import type { LearnedPrompt } from "../stimuli/learned.ts";
import { stimuliFor } from "../stimuli/prompts.ts";
import { droppedNote } from "../webhook/dropped-note.ts";
import { startReceiver, type WebhookReceiver } from "../webhook/receiver.ts";
import type { AgentProcess } from "./agent-process.ts";
import type { VersionUnderTest } from "./discover/versions-under-test.ts";
import { CleanUp } from "./execute/clean-up.ts";
import type { ExchangeLog } from "./execute/exchange-log.ts";
import { interrupted } from "./interrupted.ts";
import type { TestOptions } from "./options.ts";
import type { Preconditions } from "./plan/applicability.ts";
import { Budget } from "./plan/budget.ts";
import { type RunClients, taskTimeoutDefault } from "./run-clients.ts";
import { BusyAgent } from "./target/busy.ts";
import { type Control, type Crash, CrashTrials, controlMs } from "./target/crash-trials.ts";
import type { RequestSettings } from "./target/interface-client.ts";
import { InterfaceUnderTest } from "./target/interface-under-test.ts";
import { KnownTasks } from "./target/known-tasks.ts";
import { LeanCalls } from "./target/lean-call.ts";
import { Liveness } from "./target/liveness.ts";
import { MessageSilence } from "./target/message-silence.ts";
import { Pace } from "./target/pace.ts";
import { Punctuality } from "./target/punctuality.ts";
import { Restarts } from "./target/restarts.ts";
import { endingOf, isGap, showsAgent } from "./target/retry.ts";
import { SharedCalls } from "./target/shared-calls.ts";
import { Slots } from "./target/slots.ts";
import { StreamFallback } from "./target/stream-fallback.ts";
import { Suspects } from "./target/suspects.ts";
import { UnknownIds } from "./target/unknown-ids.ts";
import { Workload, type WorkloadSize } from "./target/workload.ts";

/** The number of parallel requests. Assay's own test bed is free of charge, so it gets more. */
const atATime = {
  calls: 4,
  work: { first: 2, most: 8 },
  testbed: { calls: 8, work: { first: 12, most: 12 } },
};

/** Never exceeds the operator's setting. */
const within = ({ first, most }: WorkloadSize, concurrency = most): WorkloadSize => ({
  first: Math.min(first, concurrency),
  most: Math.min(most, concurrency),
});

/** Milliseconds without a response on any interface after which the agent counts as gone. */
const goneAfterDefault = 15_000;
/** Time limit for a restarted agent to answer. */
const startMs = 60_000;

/** Maximum time that the user waits for the clean-up. */
const cleanUpMs = 5_000;

/** A protocol version with the facts that the plan needs. */
export interface PreparedVersion extends VersionUnderTest {
  readonly ruleSet: RuleSet;
  /** changed once, when the run has learned which messages trigger a behaviour */
  preconditions: Preconditions;
}

export interface RunSetup {
  readonly options: TestOptions & { readonly signal: AbortSignal };
  readonly versions: readonly VersionUnderTest[];
  readonly clients: RunClients;
  readonly log: ExchangeLog;
  /** an agent of Assay's own test bed, on this machine */
  readonly isTestbed: boolean;
  /** the run waits for notifications */
  readonly receives: boolean;
  /** the run should be short: behind a rate limit it leaves out rules that the agent may break */
  readonly brief?: boolean;
  /** makes an observation, or returns its earlier result */
  readonly observe: <T>(one: Observation<T>, target: InterfaceUnderTest, context: RunContext) => Promise<T>;
  /** every call returns the actual response, even if another replica would soon answer differently */
  readonly literal?: true;
  /** the waiting time for the agent so far (default: none) */
  readonly busy?: BusyAgent;
  /** receives how long the agent took for a message */
  readonly onWorked?: (ms: number) => void;
  /** no interface answers any more: receives the suspected requests, malformed ones first */
  readonly onGone?: (suspects: readonly Call[]) => void;
  /** the agent went down and came back */
  readonly onOutage?: (outage: Outage) => void;
}

/** An outage of the agent, and what Assay found out about it. */
export interface Outage {
  /** how the process ended, if Assay started it */
  readonly ending: string | undefined;
  /** the requests that crash the agent */
  readonly crashes: readonly Crash[];
  /** the suspected requests if none is proven, malformed ones first */
  readonly suspects: readonly Call[];
}

/** Time limit for open requests before one is sent alone. */
const settleMs = 1_000;

/** The state that all requests of a run share, and the interfaces under test. */
export class RunContext {
  readonly options: TestOptions;
  readonly signal: AbortSignal;
  readonly clients: RunClients;
  readonly log: ExchangeLog;
  readonly versions: readonly PreparedVersion[];
  /** one per interface */
  readonly targets: readonly InterfaceUnderTest[];
  readonly webhook: WebhookReceiver | undefined;
  /** messages that the agent works on in parallel */
  readonly workload: Workload;
  /** how late due events arrive */
  readonly punctuality: Punctuality;
  readonly cleanUp = new CleanUp();
  readonly streamFallback = new StreamFallback();
  readonly unknownIds = new UnknownIds();
  readonly knownTasks = new KnownTasks();
  readonly leanCalls = new LeanCalls();
  readonly sharedCalls = new SharedCalls();
  readonly onWorked: (ms: number) => void;
  /** milliseconds a task may take */
  readonly taskTimeout: number;
  /** for an agent that Assay started */
  readonly restarts: Restarts | undefined;
  /** finds out which requests crash the agent */
  readonly crashes: CrashTrials;
  readonly messageSilence = new MessageSilence();
  /** milliseconds without a response on any interface after which the agent counts as gone */
  readonly goneAfter: number;
  /** the pauses between retries */
  readonly patience: { sleep(ms: number): Promise<void>; random(): number; readonly busy: BusyAgent };
  /** the messages that may be sent; none before the plan is made */
  budget = new Budget({ messages: 0 });
  readonly #isLiteral: boolean;
  readonly #isBrief: boolean;
  readonly #callSlots: Slots;
  readonly #pace: Pace;
  readonly #liveness: Liveness;
  /** interfaces that have answered, to be asked when the agent seems gone */
  #answering: readonly InterfaceUnderTest[] = [];
  readonly #observe: RunSetup["observe"];
  #onCall: (call: Call) => void = () => {};
  #isCleaningUp = false;
  /** the number of suspected outages */
  #gaps = 0;
  #inFlight = 0;
  readonly #suspects: Suspects;
  /** how the process ended since its requests were last tried */
  #ending: string | undefined;

  static async open(setup: RunSetup): Promise<RunContext> {
    // Also for agents without push: a message may refer to a file on the receiver.
    return new RunContext(setup, setup.receives ? await openWebhook(setup.options) : undefined);
  }

  private constructor(setup: RunSetup, webhook: WebhookReceiver | undefined) {
    const { options, versions, isTestbed, onWorked = () => {}, onGone = () => {}, onOutage = () => {} } = setup;
    const { calls, work } = isTestbed ? atATime.testbed : atATime;
    this.options = options;
    this.patience = {
      sleep: (ms) => this.sleep(ms),
      random: Math.random,
      busy: setup.busy ?? new BusyAgent(options.onWait),
    };
    this.signal = options.signal;
    this.clients = setup.clients;
    this.log = setup.log;
    this.webhook = webhook;
    this.onWorked = onWorked;
    this.#isLiteral = setup.literal ?? false;
    this.#isBrief = setup.brief ?? false;
    this.workload = new Workload(within(work, options.concurrency));
    options.signal.addEventListener("abort", () => this.workload.end(), { once: true });
    this.punctuality = new Punctuality(options.grace);
    this.#callSlots = new Slots(options.concurrency ?? calls);
    this.#pace = new Pace(options.rate);
    this.taskTimeout = options.taskTimeout ?? taskTimeoutDefault;
    this.goneAfter = options.goneAfter ?? goneAfterDefault;
    this.#suspects = new Suspects(this.goneAfter);
    const tellOutage = (crashes: readonly Crash[], suspects: readonly Call[]): void => {
      const ending = this.#ending;
      this.#ending = undefined;
      if (ending !== undefined || crashes.length) onOutage({ ending, crashes, suspects });
    };
    this.restarts =
      options.process &&
      this.#restartsOf(options.process, (ending) => {
        this.#ending = ending;
        this.crashes.exited();
      });
    this.crashes = new CrashTrials({
      restarts: this.restarts,
      isBack: (control) => this.#isBack(control),
      settled: () => this.#settled(),
      onTried: (crashes, cleared) => {
        tellOutage(crashes, crashes.length ? [] : this.#suspects.amongst(cleared));
        this.#suspects.clear();
      },
      now: () => performance.now(),
      sleep: (ms) => this.sleep(ms),
    });
    this.#liveness = new Liveness({
      goneAfter: this.goneAfter,
      silentFor: this.taskTimeout,
      look: (withinMs) => isThere(this.#answering, withinMs),
      recover: async () => (await this.restarts?.recover()) ?? false,
      sleep: (ms) => this.sleep(ms),
      signal: this.signal,
      onGone: () => onGone(this.#suspects.amongst()),
    });
    this.#observe = setup.observe;
    this.versions = versions.map((version) => prepared(version, setup, webhook !== undefined));
    this.targets = this.targetsAs("user");
  }

  /** Returns all tested interfaces, in every version, for a principal. */
  targetsAs(principal: PrincipalName): InterfaceUnderTest[] {
    return this.versions.flatMap((version) =>
      version.interfaces.map((on) => new InterfaceUnderTest(this, version, { on, principal })),
    );
  }

  versionOf(on: PeerInterface): PreparedVersion {
    return this.versions.find(({ interfaces }) => interfaces.includes(on))!;
  }

  /** Uses these prompts from here on for behaviours without another prompt, in every version. */
  adopt(learned: readonly LearnedPrompt[], depth: Depth): void {
    for (const version of this.versions) {
      const { preconditions } = version;
      const stimuli = withLearned(preconditions.stimuli, learned, { triesOnce: depth === "quick" });
      version.preconditions = { ...preconditions, stimuli };
    }
  }

  /**
   * Throws if a check may not send requests for its rule, because the agent accepts few and the run should be short.
   */
  assertWorthwhile(check: string, { dialect }: PeerInterface): void {
    if (!this.#isBrief || !this.#pace.isSlow || ruleIn(dialect, check)?.level.startsWith("MUST")) return;
    throw skipped(
      "depth",
      "the agent limits the rate of requests, so a quick run sends none for rules below MUST",
      "--depth full",
    );
  }

  get slowedDown(): SlowedDown | undefined {
    return this.#pace.slowedDown;
  }

  /** Passes every finished call to a listener. */
  onCall(listener: (call: Call) => void): void {
    this.#onCall = listener;
  }

  received(call: Call, target: InterfaceUnderTest): void {
    this.unknownIds.learn(call);
    if (!this.#isLiteral) this.knownTasks.learn(call, target);
    this.cleanUp.note(call, target);
    this.#liveness.note(call);
    this.messageSilence.note(call);
    const ending = endingOf(call);
    if (isGap(call)) this.lost();
    if (ending !== "unconnected") this.#suspects.note(call);
    if (ending === "answered") {
      this.#pace.speedUp();
      if (isFree(call)) this.#passed(call);
    }
    if (ending === "pressed") {
      const status = call.exchange.http.response?.status;
      this.#pace.slowDown(status !== undefined && status >= 400 ? status : undefined);
      this.workload.pressed();
    }
    if (showsAgent(call)) this.judge(call);
  }

  /** The agent may have restarted. */
  lost(): void {
    this.#gaps += 1;
    this.knownTasks.mayBeLost();
  }

  /** Changes when the agent may have restarted, because it may have lost its tasks and push configurations since. */
  get epoch(): number {
    return this.#gaps + (this.restarts?.starts ?? 0);
  }

  /** Learns from an event of an open stream. */
  heard(frame: Arrived, operation: Operation, settings: RequestSettings): void {
    if (!this.#isLiteral) this.knownTasks.hear(frame, operation, settings);
  }

  /** A call without work shows how fast the agent is, and if it is overloaded. */
  #passed({ operation, on, exchange }: Call): void {
    this.punctuality.answered(exchange.timing.end);
    this.workload.passed(`${operation} ${on.binding}`, exchange.timing.end);
  }

  /** Passes a call to its judges. */
  judge(call: Call): void {
    this.#onCall(call);
  }

  /** Watches from here on if the agent still answers on any of these. */
  watch(answering: readonly InterfaceUnderTest[]): void {
    this.#answering = answering;
    if (answering.length) this.#liveness.begin();
  }

  /** The interfaces on which the agent answered the first call. */
  get answering(): readonly InterfaceUnderTest[] {
    return this.#answering;
  }

  /** Waits until the agent answers a control call, within the time limit. */
  async #isBack(control: Control): Promise<boolean> {
    await this.restarts?.recover();
    const deadline = performance.now() + this.goneAfter;
    for (let pause = 50; !this.signal.aborted; pause = Math.min(pause * 2, 1_000)) {
      const left = deadline - performance.now();
      if (left <= 0) return false;
      if (await control(Math.min(left, controlMs))) return true;
      await this.sleep(Math.min(pause, left));
      await this.restarts?.recover();
    }
    return false;
  }

  /** Waits briefly until no request is open. */
  async #settled(): Promise<void> {
    const deadline = performance.now() + settleMs;
    do await this.sleep(20);
    while (this.#inFlight > 0 && performance.now() < deadline && !this.signal.aborted);
  }

  #restartsOf(process: AgentProcess, onRestart: (ending: string) => void): Restarts {
    const isUp = async (): Promise<boolean> => {
      const deadline = performance.now() + (this.options.warmUp ?? startMs);
      while (performance.now() < deadline && !this.signal.aborted) {
        if (await isThere(this.#answering, startMs)) return true;
        await this.sleep(200);
      }
      return false;
    };
    return new Restarts({ process, isUp, onRestart });
  }

  /** The allowed silence while the agent works on a message, if longer than for other calls. */
  get idleForTask(): number | undefined {
    const idle = this.options.connection.timeouts?.idle ?? defaultTimeouts.idle;
    return this.taskTimeout > idle ? this.taskTimeout : undefined;
  }

  observe<T>(one: Observation<T>, target: InterfaceUnderTest): Promise<T> {
    return this.#observe(one, target, this);
  }

  /** Waits, but not beyond an interruption of the run. */
  async sleep(ms: number): Promise<void> {
    await sleepAwake(ms, this.signal).catch(() => {});
  }

  /** Waits until the next request may be sent. */
  async paced(): Promise<void> {
    if (!this.#isCleaningUp) {
      await this.restarts?.ready();
      await this.#liveness.ready();
      await this.crashes.ready();
    }
    const waits = this.#pace.turn(performance.now());
    if (waits > 0) await this.sleep(waits);
  }

  /** Sends a request when a slot is free. Urgent requests go first. */
  inTurn<T>(ask: () => Promise<T>, urgent: boolean): Promise<T> {
    return this.#callSlots.run(() => this.atPace(ask), urgent);
  }

  /**
   * Sends a request at the pace of the run without waiting for a slot, for a message that has a place in the workload.
   */
  async atPace<T>(ask: () => Promise<T>): Promise<T> {
    await this.paced();
    if (this.signal.aborted && !this.#isCleaningUp) throw interrupted(this.signal);
    this.#inFlight += 1;
    try {
      return await ask();
    } finally {
      this.#inFlight -= 1;
    }
  }

  /** Aborts a request at its time limit, or when the run is interrupted. */
  limit(timeoutMs: number | undefined): AbortSignal {
    if (this.#isCleaningUp) return timeLimit(this.#cleanUpMs);
    if (timeoutMs === undefined) return this.signal;
    return AbortSignal.any([this.signal, timeLimit(Math.ceil(timeoutMs))]);
  }

  /** After an interruption, the clean-up and the report share the time of the shutdown. */
  get #cleanUpMs(): number {
    return this.signal.aborted ? (this.options.shutdownTimeout ?? cleanUpMs) / 2 : cleanUpMs;
  }

  /** Ends what was started, even after an interruption. Returns what could not be ended. */
  async end(): Promise<string[]> {
    this.#isCleaningUp = true;
    const notes = await this.cleanUp.run(this.#cleanUpMs);
    const dropped = this.webhook && droppedNote(this.webhook);
    return dropped === undefined ? notes : [...notes, dropped];
  }

  async close(): Promise<void> {
    await this.webhook?.close();
  }
}

const prepared = (
  version: VersionUnderTest,
  { options, isTestbed }: RunSetup,
  hasWebhook: boolean,
): PreparedVersion => ({
  ...version,
  ruleSet: ruleSetOf(version, options.ruleSet),
  preconditions: {
    facts: version.facts,
    stimuli: stimuliFor(version.facts, options, isTestbed),
    options,
    hasWebhook,
  },
});

/** Asks on every interface at once. One response is enough. */
function isThere(answering: readonly InterfaceUnderTest[], withinMs: number): Promise<boolean> {
  const asked = answering.map(async (target) => {
    if (!(await target.answers(withinMs))) throw new Error("no answer");
  });
  return Promise.any(asked).then(
    () => true,
    () => false,
  );
}

/** Returns true for a call on which the agent does not work. */
const isFree = ({ operation, streamed }: Call): boolean => operation !== undefined && !isSend(operation) && !streamed;

/** Opens a receiver for notifications, if the agent could reach it. */
async function openWebhook({ url, card, webhook }: TestOptions): Promise<WebhookReceiver | undefined> {
  if (!webhook && !isLoopback(new URL(card ?? url).hostname)) return undefined;
  const { host, port } = webhook?.listen ?? { host: "127.0.0.1", port: 0 };
  // An operator who names a webhook address declares that the agent can reach it.
  const declared = webhook !== undefined;
  return startReceiver({ host, port, declared, ...(webhook?.url !== undefined && { url: webhook.url }) });
}
