import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { type JsonObject, normaliseCard } from "@assay/protocol";
import {
  cardOddities,
  createMasker,
  type HttpClient,
  interfaceTrouble,
  type Masker,
  type PeerInterface,
} from "@assay/wire";
import { beyondCaps } from "../../card/card-caps.ts";
import { cardDigest } from "../../card/card-digest.ts";
import { textNotes } from "../../card/text-notes.ts";
import { checks as allChecks } from "../../checks/index.ts";
import type { Call } from "../../define/call.ts";
import type { Check, PassiveCheck } from "../../define/check.ts";
import type { Breach, Evidence } from "../../define/finding.ts";
import { type Observation, withNeeds } from "../../define/observation.ts";
import { Obstacle, skipped } from "../../define/obstacle.ts";
import { compareVersions, comparisonNotes } from "../../equivalence/compare-versions.ts";
import { cardWithoutLogin } from "../../observations/cards.ts";
import { firstContact } from "../../observations/first-contact.ts";
import { invalidInput } from "../../observations/invalid-input.ts";
import { rpcEnvelopes } from "../../observations/rpc-envelopes.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import { unknownTask } from "../../observations/unknown-task.ts";
import { Redactor } from "../../redaction/redactor.ts";
import type { Depth, RunEnding, RunEvent } from "../../report/events.ts";
import { type AgentSdk, sdkTitle } from "../../report/sdk-faults.ts";
import type { SlowedDown } from "../../report/trouble.ts";
import type { Unexamined } from "../../report/verdict.ts";
import { SdkRecogniser } from "../../sdk-faults/recognise-sdk.ts";
import { isDataInVain } from "../../stimuli/brought-about.ts";
import { trustFlag } from "../discover/choose-interfaces.ts";
import { type DiscoveredAgent, discoverAgent } from "../discover/discover-agent.ts";
import { EarlierRun } from "../earlier-run.ts";
import { interfaceName } from "../interface-name.ts";
import { maskedEvent } from "../masked-event.ts";
import type { TestOptions } from "../options.ts";
import { Budget } from "../plan/budget.ts";
import { withExtraMessages } from "../plan/extra-messages.ts";
import { observationKey } from "../plan/grant.ts";
import {
  isConcerned,
  type Plan,
  type PlanInput,
  type PlannedCheck,
  planRun,
  type VersionToPlan,
} from "../plan/plan.ts";
import { select } from "../plan/select.ts";
import { type CheckFinder, reportingFor } from "../reporting.ts";
import { reproduceLine } from "../results.ts";
import { clientsFor, type RunClients } from "../run-clients.ts";
import { type Outage, RunContext } from "../run-context.ts";
import { BusyAgent } from "../target/busy.ts";
import type { InterfaceUnderTest } from "../target/interface-under-test.ts";
import { ContactGate } from "./contact-gate.ts";
import {
  exitedMessage,
  goneMessage,
  loginMessage,
  noUsableMessage,
  outageNote,
  paymentMessage,
  resumedNote,
  timeOverMessage,
  type UntestedInterface,
  untestedNote,
} from "./ending-messages.ts";
import { ExchangeLog } from "./exchange-log.ts";
import { learnedNote } from "./learned-note.ts";
import { learn } from "./learning.ts";
import { type Announced, announcedFor } from "./lesson.ts";
import { Observations } from "./observations.ts";
import { passiveChecksOn } from "./passive-checks.ts";
import { type Reports, reportCrashes } from "./report-crashes.ts";
import { type CheckRun, runCheck } from "./run-checks.ts";
import { agentFound, learnedEvent, planned, runStarted } from "./run-events.ts";
import { faultNotes, faultObservations, faultsAsked, goneUnder, tryFaults } from "./try-faults.ts";
import { type SkillTry, skillsNote, skillTries, trySkill } from "./try-skills.ts";

/** The parts of a run, one after the other (see `last` and `alone` of a check). */
type Phase = "first" | "last" | "alone";

type Selection = ReturnType<typeof select<Check>>;

/** The ending of a run. If the run could not start, it says what happened and what to do. */
interface Ending {
  readonly ending: RunEnding;
  readonly message?: string;
  readonly hint?: string;
}

/** The objects of a run that sends requests. */
interface Opened {
  readonly depth: Depth;
  readonly context: RunContext;
  readonly reports: Reports;
  readonly observations: Observations;
  /** outages of the agent without a known cause */
  readonly unexplained: readonly Outage[];
}

/** One run of the suite on an agent: discover, plan, execute, clean up. */
export class AgentTest {
  readonly #options: TestOptions & { readonly signal: AbortSignal };
  readonly #emit: (event: RunEvent) => void;
  readonly #startedAt = performance.now();
  readonly #masker: Masker;
  readonly #log: ExchangeLog;
  readonly #recogniser = new SdkRecogniser();
  /** the run that this one resumes */
  readonly #earlier: EarlierRun | undefined;
  /** ends the run early, for a reason on Assay's side */
  readonly #over = new AbortController();
  #endedBy: Ending = { ending: "interrupted" };
  #budget = new Budget({ messages: 0 });
  #isEstimated = false;
  #isUnderFaults = false;
  #slowedDown: SlowedDown | undefined;
  readonly #busy: BusyAgent;
  readonly #reproduce = (call: Call): string | undefined => reproduceLine(this.#masker, call);

  constructor(options: TestOptions & { readonly signal: AbortSignal }, emit: (event: RunEvent) => void) {
    const signal = AbortSignal.any([options.signal, this.#over.signal]);
    // Every call and pause listens to the signal. Many listeners are not a leak here.
    setMaxListeners(0, signal);
    this.#options = { ...options, signal };
    const masker = createMasker(options.secrets ?? []);
    const redactor = options.redact ? new Redactor() : undefined;
    this.#emit = (event) => {
      const masked = maskedEvent(event, masker);
      if (masked.event === "exchange") this.#recogniser.take(masked.entry);
      emit(redactor?.event(masked) ?? masked);
    };
    this.#masker = masker;
    this.#busy = new BusyAgent(options.onWait);
    this.#earlier = options.resumes && new EarlierRun(options.resumes);
    this.#log = new ExchangeLog(masker, this.#emit, this.#earlier?.issued);
    const { found } = options;
    if (found) this.#options = { ...this.#options, found: { ...found, exchange: this.#log.adopt(found.exchange) } };
  }

  async execute(): Promise<void> {
    // A mistyped filter is reported before any request.
    const selection = select(allChecks, this.#options);
    const clients = clientsFor(this.#options, this.#log.recording);
    const { maxTime } = this.#options;
    const clock =
      maxTime === undefined ? undefined : setTimeout(() => this.#stop("time-over", timeOverMessage(maxTime)), maxTime);
    try {
      const agent = await this.#discover(clients.http);
      this.#finish("found" in agent ? await this.#test(agent, selection, clients) : agent);
    } finally {
      clearTimeout(clock);
      await clients.close();
    }
  }

  /** Ends the run. Rules that are not judged yet are not examined. */
  #stop(ending: RunEnding, { message, hint }: { message: string; hint: string }): void {
    if (this.#options.signal.aborted) return;
    this.#endedBy = { ending, message, hint };
    this.#over.abort(skipped("interrupted", `the run ended before this: ${message}`));
  }

  /** Finds the agent. If there is nothing to test, the run ends here. */
  async #discover(http: HttpClient): Promise<DiscoveredAgent | Ending> {
    const options = this.#options;
    const sleep = (ms: number) => delay(ms, undefined, { signal: options.signal }).catch(() => {});
    const agent = await discoverAgent(http, options, sleep, { busy: this.#busy });
    if (!agent.found) {
      this.#emit(runStarted(options, { depth: options.depth ?? "quick", at: new Date() }));
      if (options.signal.aborted && this.#endedBy.message !== undefined) return this.#endedBy;
      const ending = options.signal.aborted ? "interrupted" : agent.ending;
      return { ending, message: agent.message, hint: agent.hint };
    }
    const { versions } = agent;
    const at = new Date(Date.now() - (performance.now() - this.#startedAt));
    const started = runStarted(options, {
      versions,
      depth: this.#depthFor(agent),
      at,
      resumes: this.#earlier?.facts,
    });
    this.#earlier?.assertSame({
      ...started,
      agentUrl: this.#masker.text(started.agentUrl),
      tool: started.tool.version,
      cardDigest: cardDigest(agent.found.json),
    });
    this.#emit(started);
    this.#log.writeRest();
    this.#emit(agentFound(agent));
    for (const event of this.#earlier?.kept ?? []) this.#emit(event);
    if (started.resumes) this.#emit({ event: "note", text: resumedNote(started.resumes) });
    for (const text of [
      ...cardOddities(agent.found, options.card ?? options.url),
      ...textNotes(agent.found.json),
      ...beyondCaps(agent.facts),
    ])
      this.#emit({ event: "note", text });
    return agent;
  }

  /** Assay's own test bed is free of charge, so it is tested at full depth. */
  #depthFor({ isTestbed }: DiscoveredAgent): Depth {
    return this.#options.depth ?? (isTestbed ? "full" : "quick");
  }

  async #test(agent: DiscoveredAgent, selection: Selection, clients: RunClients): Promise<Ending> {
    const opened = await this.#open(agent, clients);
    try {
      return await this.#examine(agent, selection, opened);
    } finally {
      this.#slowedDown = opened.context.slowedDown;
      await opened.context.close();
    }
  }

  /** Prepares everything that the run needs to send requests and report findings. */
  async #open(agent: DiscoveredAgent, clients: RunClients): Promise<Opened> {
    const options = this.#options;
    const depth = this.#depthFor(agent);
    const observations = new Observations(this.#emit, this.#startedAt, (obstacle, { on }, { aside }) => {
      // An interrupted call proves nothing.
      if (options.signal.aborted || this.#isUnderFaults) return;
      // A target under another name, such as for another tenant, is not an interface of the card.
      if (context.targets.some((target) => target.on === on))
        reports.get(context.versionOf(on))!.blame(obstacle, aside ? undefined : on);
    });
    const unexplained: Outage[] = [];
    const context = await RunContext.open({
      options,
      versions: agent.versions,
      clients,
      log: this.#log,
      isTestbed: agent.isTestbed,
      receives: depth === "full" || depth === "quick",
      brief: depth === "quick",
      busy: this.#busy,
      observe: (one, target, run) => observations.observe(one, target, run),
      onWorked: (ms) => this.#estimate(ms),
      onOutage: (outage) => {
        this.#emit({ event: "note", text: outageNote(outage, this.#reproduce) });
        if (outage.crashes.length === 0 && !this.#isUnderFaults) unexplained.push(outage);
      },
      onGone: (suspects) => this.#stop("agent-gone", goneMessage(suspects, this.#reproduce)),
    });
    const reports = this.#reportsFor(context);
    return { depth, context, reports, observations, unexplained };
  }

  /** Makes the plan, sends the requests and judges the responses. */
  async #examine(agent: DiscoveredAgent, { selected, filtered }: Selection, opened: Opened): Promise<Ending> {
    const options = this.#options;
    const { versions, isTestbed } = agent;
    const { depth, context, reports, observations, unexplained } = opened;
    const input: PlanInput = {
      checks: selected,
      filtered,
      versions: context.versions,
      depth,
      budget: options.budget,
      rude: options.rude ?? isTestbed,
      acceptedAt: agent.acceptedAt,
      isFinished: ({ check, version, on }) =>
        this.#earlier?.isFinished(check.id, version.preconditions.facts.dialect, on, this.#masker) ?? false,
    };
    const known = planRun(input);
    this.#spendBy(known, context);
    const gates = gatesFor(known, opened);
    const closed = depth === "card" ? undefined : await this.#contact(agent, context, gates);
    const announced = announcedFor(known, input, context, isTestbed);
    const [first] = context.answering;
    const tries = first && !options.learnOnly ? skillTries(first.facts, options, depth) : [];
    const faults = options.learnOnly ? [] : faultsAsked(options);
    const extra = [
      ...tries.flatMap(({ send }) => send ?? []),
      ...(first ? faultObservations(faults, depth, context.versionOf(first.on).preconditions) : []),
    ];
    const withExtra = (plan: Plan): Plan => ({
      ...plan,
      allowance: withExtraMessages(plan.allowance, extra, first?.on, options.budget),
    });
    // An agent that asks for a login or payment is judged without messages.
    const isShut = closed?.ending === "login-required" || closed?.ending === "payment-required";
    this.#emit(planned(isShut ? { ...known, allowance: { messages: 0 } } : withExtra(announced.plan), versions));
    const plan = announced.lesson ? await this.#learn(announced, input, context, observations) : known;
    if (extra.length)
      this.#spendBy(withExtra({ ...plan, allowance: { ...plan.allowance, spent: this.#budget.spent } }), context);
    if (!options.learnOnly) {
      await this.#runChecks(plan, opened);
      await trySkills(first, tries, this.#emit);
      await context.crashes.end();
      reportCrashes(plan, context, reports);
      if (options.procedure) await (first ?? context.targets[0])?.observe(cardWithoutLogin);
      for (const gate of gates) gate.conclude();
      for (const [version, report] of reports) report.conclude(blamable(plan, version, options.skip));
      if (options.equivalent && !options.signal.aborted) await this.#compareVersions(context);
      if (!options.signal.aborted && faults.length) await this.#tryFaults(faults, first, opened);
    }
    // An agent that is gone has nothing to clean up.
    if (this.#endedBy.ending !== "agent-gone")
      for (const text of await context.end()) this.#emit({ event: "note", text });
    if (this.#isCutShort) return this.#endedBy;
    const [exit] = unexplained;
    if (exit && !closed && context.crashes.all.length === 0)
      return { ending: "agent-exited", ...exitedMessage(exit, unexplained.length, this.#reproduce) };
    return closed ?? unaddressed(agent, depth);
  }

  /** Causes faults when all verdicts are settled, so that advice changes none of them. */
  async #tryFaults(
    asked: ReturnType<typeof faultsAsked>,
    target: InterfaceUnderTest | undefined,
    { context, depth }: Opened,
  ): Promise<void> {
    context.onCall(() => {});
    this.#isUnderFaults = true;
    const tried = await tryFaults(asked, { target, depth, context });
    const isGone = this.#endedBy.ending === "agent-gone";
    for (const text of faultNotes(isGone ? goneUnder(tried) : tried)) this.#emit({ event: "note", text });
  }

  /** Compares versions when all verdicts are settled: a difference is not a breach of a rule. */
  async #compareVersions(context: RunContext): Promise<void> {
    context.onCall(() => {});
    for (const target of context.answering) {
      const compared = await compareVersions(target);
      if (!compared) continue;
      this.#emit(compared);
      for (const text of comparisonNotes(compared)) this.#emit({ event: "note", text });
    }
  }

  /** The verdicts are settled before the faults, so only the user can make the run incomplete then. */
  get #isCutShort(): boolean {
    return this.#options.signal.aborted && !(this.#isUnderFaults && this.#endedBy.ending !== "interrupted");
  }

  #spendBy({ allowance }: Plan, context: RunContext): void {
    this.#budget = new Budget(allowance);
    context.budget = this.#budget;
  }

  /** Learns which messages trigger the missing behaviours and plans with them, within the announced limit. */
  async #learn(
    { plan, lesson }: Announced,
    input: PlanInput,
    context: RunContext,
    observations: Observations,
  ): Promise<Plan> {
    const { target, ...rest } = lesson!;
    const contacted = this.#budget.spent;
    // A run that only learns reserves no messages for later; retries share those of the trials.
    const allowance = this.#options.learnOnly ? { messages: 1 + rest.trials } : plan.allowance;
    this.#spendBy({ ...plan, allowance: { ...allowance, spent: contacted } }, context);
    const prompts = await learn(target, rest);
    context.adopt(prompts, input.depth);
    this.#emit(learnedEvent(prompts));
    const { stimuli } = context.versionOf(target.on).preconditions;
    const open = rest.missing.filter((kind) => !stimuli[kind]);
    if (prompts.length) this.#emit({ event: "note", text: learnedNote(prompts, open) });
    // A task that failed because of its input shows little, so the plain message is sent again as text.
    const isInVain = isDataInVain(prompts);
    if (isInVain) observations.forget(sentMessage, target);
    const made = new Set(prompts.length && !isInVain ? [observationKey(sentMessage, target.on)] : []);
    const soFar = { announced: plan.allowance.messages, spent: this.#budget.spent, made };
    const final = planRun({ ...input, versions: context.versions, soFar });
    this.#spendBy(final, context);
    return final;
  }

  #reportsFor(context: RunContext): Reports {
    const [masker, emit] = [this.#masker, this.#emit];
    return new Map(
      context.versions.map((version) => {
        const told = this.#earlier?.resultsIn(version.dialect, version.interfaces, masker) ?? [];
        const crashIn = (evidence: readonly Evidence[]) => context.crashes.amongst(evidence);
        return [version, reportingFor(version, this.#options, masker, emit, { concludes: true, told, crashIn })];
      }),
    );
  }

  /**
   * Makes the first call on every interface. Returns an ending if none can be tested, which is not the agent's fault.
   */
  async #contact(
    { facts }: DiscoveredAgent,
    context: RunContext,
    gates: readonly ContactGate[],
  ): Promise<Ending | undefined> {
    const { targets } = context;
    const obstacles = await Promise.all(targets.map(obstacleAt));
    for (const [index, gate] of gates.entries()) gate.decide(obstacles[index]);
    context.watch(targets.filter((_, index) => !obstacles[index]));
    if (targets.length === 0) return undefined;
    const shut = shutBy(obstacles, facts.card);
    if (shut) return shut;
    const untested = targets.flatMap(({ on }, index) => untestedAt(on, obstacles[index]) ?? []);
    for (const each of untested) this.#emit({ event: "note", text: untestedNote(each) });
    return untested.length === targets.length ? unusable(untested) : undefined;
  }

  async #runChecks(plan: Plan, { depth, context, reports, observations }: Opened): Promise<void> {
    const { signal } = this.#options;
    const { targets } = context;
    const isScarce = depth !== "full";
    const telling = each(targets, (target) => makeTelling(target, plan), isScarce);
    // When malformed messages have to wait for those that the other observations return, those must begin.
    await (isScarce ? telling : Promise.race([telling, this.#budget.isDry]));
    // An agent that accepts malformed messages uses up the budget. A fixed order makes every run examine the same
    // rules.
    const inOrder = isScarce && this.#budget.accepted > 0;
    if (inOrder) for (const target of targets) startOwn(target, plan);
    const run = (entry: PlannedCheck): Promise<void> => {
      const target = targets.find(({ on }) => on === entry.on);
      const onWaited: CheckRun["onWaited"] = (lane, named) => this.#emit(lane.closed(named, this.#startedAt));
      return runCheck(entry, { target, report: reports.get(entry.version)!, signal, context, observations, onWaited });
    };
    const phaseOf = ({ check }: PlannedCheck): Phase =>
      check.kind !== "active" ? "first" : check.alone ? "alone" : check.last ? "last" : "first";
    for (const phase of ["first", "last", "alone"] as const)
      await each(
        plan.checks.filter((entry) => phaseOf(entry) === phase),
        run,
        inOrder || phase === "alone",
      );
  }

  /** Estimates the duration after the first message, with two messages at a time. */
  #estimate(ms: number): void {
    if (this.#isEstimated) return;
    this.#isEstimated = true;
    const totalMs = Math.round((ms * this.#budget.expected) / 2);
    this.#emit({ event: "estimated", perMessageMs: Math.round(ms), totalMs });
  }

  #finish({ ending, message, hint }: Ending): void {
    this.#log.writeRest();
    const sdk = statedSdk(this.#options) ?? this.#recogniser.sdk;
    if (sdk) this.#emit({ event: "sdk-recognised", ...sdk });
    this.#emit({
      event: "run-finished",
      at: new Date().toISOString(),
      ending,
      duration_ms: Math.round(performance.now() - this.#startedAt),
      workingMessages: this.#budget.spent,
      ...(this.#slowedDown && { slowedDown: this.#slowedDown }),
      ...(message !== undefined && { message }),
      ...(hint !== undefined && { hint }),
    });
  }
}

const unusable = (untested: readonly UntestedInterface[]): Ending => ({
  ending: "no-usable-interface",
  ...noUsableMessage(untested),
});

/** Returns the ending of a run if the card has no usable address, because there is nothing to test. */
function unaddressed({ versions, found, keptFrom }: DiscoveredAgent, depth: Depth): Ending {
  if (versions.some(({ interfaces }) => interfaces.length)) return { ending: "done" };
  if (keptFrom.length)
    return unusable(
      keptFrom.map((left) => ({ on: left.interface, because: left.because, enable: trustFlag(left.interface) })),
    );
  const { interfaces } = normaliseCard(found.json);
  const { message, hint, isFault } = interfaceTrouble(found, interfaces);
  if (interfaces.length === 0) return { ending: "no-interface", message, hint };
  if (isFault || depth === "card") return { ending: "done" };
  return { ending: "no-usable-interface", message, hint };
}

/** Finds the rules that concern the agent, including filtered ones, but not those that the operator skipped by name. */
function blamable({ checks }: Plan, version: VersionToPlan, skip: TestOptions["skip"]): CheckFinder {
  const { selected } = select(allChecks, { skip });
  const planned = checks.filter((entry) => entry.version === version && isConcerned(entry));
  return (rule, on) => {
    const here = planned.find(({ check, on: place }) => check.id === rule && (!place || !on || place === on));
    return here && selected.includes(here.check) ? here.check : undefined;
  };
}

/** Returns one gate per target, in order: no call is judged before the first contact. */
function gatesFor(plan: Plan, { depth, context, reports }: Opened): ContactGate[] {
  for (const { check, on, instead, version } of plan.checks)
    if (check.kind === "passive" && instead) reports.get(version)!.defer({ check, on }, instead);
  const gates = context.targets.map(({ on }) => {
    const report = reports.get(context.versionOf(on))!;
    const isShared = (check: PassiveCheck, finding: Breach): boolean => report.isShared({ check, on }, finding);
    return new ContactGate(passiveChecksOn(on, plan.checks, { ...report.context, depth }, isShared), on, report);
  });
  context.onCall((call) => {
    if (!context.signal.aborted) for (const gate of gates) gate.receive(call);
  });
  return gates;
}

/** Tries the skills that the operator chose, one message each, and reports them. */
async function trySkills(
  target: InterfaceUnderTest | undefined,
  tries: readonly SkillTry[],
  emit: (event: RunEvent) => void,
): Promise<void> {
  if (!target) return;
  const tried = await Promise.all(tries.map((each) => trySkill(target, each)));
  for (const event of tried) emit(event);
  const text = skillsNote(tried);
  if (text !== undefined) emit({ event: "note", text });
}

const statedSdk = ({ sdk }: TestOptions): AgentSdk | undefined =>
  sdk && { ...sdk, because: `stated: ${sdkTitle(sdk)}` };

/** Runs a function on each item, in order or in parallel. */
async function each<T>(all: readonly T[], run: (one: T) => Promise<void>, inOrder: boolean): Promise<void> {
  if (!inOrder) return void (await Promise.all(all.map(run)));
  for (const one of all) await run(one);
}

/**
 * Observations that best show what a lax agent accepts. They run first: they may be the last ones possible, and an
 * agent that crashes on them has no message to work on yet.
 */
const telling: readonly Observation<unknown>[] = [invalidInput, rpcEnvelopes, unknownTask];

async function makeTelling(target: InterfaceUnderTest, { checks }: Plan): Promise<void> {
  const here = checks.filter(({ on, instead }) => on === target.on && !instead);
  const used = new Set(here.flatMap(({ check }) => (check.kind === "active" ? Object.values(check.uses) : [])));
  // The checks that need an observation report its obstacles.
  for (const one of telling) if (used.has(one)) await target.observe(one).catch(() => {});
}

/**
 * Starts the observations whose messages are certain, and those that take long, so that they are ready when the checks
 * need them.
 */
function startOwn(target: InterfaceUnderTest, { checks }: Plan): void {
  const needed = checks
    .filter(({ on, instead, finished }) => on === target.on && !instead && !finished)
    .flatMap(({ check, shownBy = [] }) => [...(check.kind === "active" ? Object.values(check.uses) : []), ...shownBy]);
  const all = needed.reduce((into, one) => withNeeds(one, into), new Set<Observation<unknown>>());
  // The checks that need an observation report its obstacles.
  for (const one of all) if (one.messages > 0 || one.lasts) void target.observe(one).catch(() => {});
}

/** Returns the obstacle to the first call on an interface, if any. */
async function obstacleAt(target: InterfaceUnderTest): Promise<Obstacle | undefined> {
  try {
    await target.observe(firstContact);
    return undefined;
  } catch (error) {
    if (error instanceof Obstacle) return error;
    throw error;
  }
}

/** Returns the ending for an agent that asks for a login or payment everywhere. */
function shutBy(obstacles: readonly (Obstacle | undefined)[], card: JsonObject): Ending | undefined {
  const because = obstacles[0]?.message ?? "";
  if (obstacles.every((each) => isUnexamined(each, "login")))
    return { ending: "login-required", ...loginMessage(because, card) };
  if (obstacles.every((each) => isUnexamined(each, "payment")))
    return { ending: "payment-required", ...paymentMessage(because) };
  return undefined;
}

const isUnexamined = (obstacle: Obstacle | undefined, reason: Unexamined): boolean =>
  obstacle?.kind.is === "not-examined" && obstacle.kind.reason === reason;

/** Returns why an interface could not be tested, if it is neither the agent's fault nor the operator's choice. */
function untestedAt(on: PeerInterface, obstacle: Obstacle | undefined): UntestedInterface | undefined {
  if (!obstacle || obstacle.kind.is === "held-up" || isUnexamined(obstacle, "interrupted")) return undefined;
  const { kind } = obstacle;
  return {
    on: interfaceName(on),
    because: kind.because,
    enable: kind.is === "network" ? kind.hint : "enable" in kind ? kind.enable : undefined,
  };
}
