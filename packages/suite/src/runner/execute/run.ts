import { setTimeout as delay } from "node:timers/promises";
import { createMasker, createPeerClients, type HttpClient, type Masker, type PeerClients } from "@assay/wire";
import type { Check } from "../../check.ts";
import { checks as allChecks } from "../../checks/index.ts";
import type { Observation } from "../../observation.ts";
import { firstContact } from "../../observations/first-contact.ts";
import { invalidInput } from "../../observations/invalid-input.ts";
import { unknownTask } from "../../observations/unknown-task.ts";
import { Obstacle } from "../../obstacle.ts";
import type { Depth, RunEnding, RunEvent } from "../../report/events.ts";
import { type DiscoveredAgent, discoverAgent } from "../discover/discover-agent.ts";
import type { TestOptions } from "../options.ts";
import { Budget } from "../plan/budget.ts";
import { type Plan, planRun, type VersionToPlan } from "../plan/plan.ts";
import { select } from "../plan/select.ts";
import { type Reporting, reportingFor } from "../reporting.ts";
import { RunContext } from "../run-context.ts";
import type { InterfaceUnderTest } from "../target/interface-under-test.ts";
import { ContactGate } from "./contact-gate.ts";
import { cardOfAnother, loginMessage, noInterfaceMessage } from "./ending-messages.ts";
import { ExchangeLog } from "./exchange-log.ts";
import { Observations } from "./observations.ts";
import { passiveChecksOn } from "./passive-checks.ts";
import { runCheck } from "./run-checks.ts";
import { agentFound, planned, runStarted } from "./run-events.ts";

type Selection = ReturnType<typeof select<Check>>;
type Reports = ReadonlyMap<VersionToPlan, Reporting>;

/** How a run ended, and for one that could not begin: what happened, and what to do. */
interface Ending {
  readonly ending: RunEnding;
  readonly message?: string;
  readonly hint?: string;
}

/** One run of the suite on an agent: discover, plan, execute, clean up. */
export class AgentTest {
  readonly #options: TestOptions & { readonly signal: AbortSignal };
  readonly #emit: (event: RunEvent) => void;
  readonly #startedAt = performance.now();
  readonly #masker: Masker;
  readonly #log: ExchangeLog;
  #budget = new Budget({ messages: 0 });
  #isEstimated = false;

  constructor(options: TestOptions & { readonly signal: AbortSignal }, emit: (event: RunEvent) => void) {
    this.#options = options;
    this.#emit = emit;
    this.#masker = createMasker(options.secrets ?? []);
    this.#log = new ExchangeLog(this.#masker, emit);
  }

  async execute(): Promise<void> {
    // A mistyped filter is said before the agent is asked for anything.
    const selection = select(allChecks, this.#options);
    const clients = createPeerClients({ ...this.#options.connection, recording: this.#log.recording });
    try {
      const agent = await this.#discover(clients.http);
      this.#finish("found" in agent ? await this.#test(agent, selection, clients) : agent);
    } finally {
      await clients.close();
    }
  }

  /** The agent; where there is none, or nothing to test, the run is over before it began. */
  async #discover(http: HttpClient): Promise<DiscoveredAgent | Ending> {
    const [options, masker] = [this.#options, this.#masker];
    const sleep = (ms: number) => delay(ms, undefined, { signal: options.signal }).catch(() => {});
    const agent = await discoverAgent(http, options, sleep);
    if (!agent.found) {
      this.#emit(runStarted(options, { depth: options.depth ?? "quick", at: new Date(), masker }));
      const ending = options.signal.aborted ? "interrupted" : agent.ending;
      return { ending, message: masker.text(agent.message), hint: masker.text(agent.hint) };
    }
    const { versions } = agent;
    const at = new Date(Date.now() - (performance.now() - this.#startedAt));
    this.#emit(runStarted(options, { versions, depth: this.#depthFor(agent), at, masker }));
    this.#log.writeRest();
    this.#emit(agentFound(agent, masker));
    if (versions.length === 0) return { ending: "no-interface", ...noInterfaceMessage(agent.leftOut) };
    const another = cardOfAnother(options, agent);
    if (another !== undefined) this.#emit({ event: "note", text: masker.text(another) });
    return agent;
  }

  /** Our own test bed costs nothing, so it is asked for everything. */
  #depthFor({ isTestbed }: DiscoveredAgent): Depth {
    return this.#options.depth ?? (isTestbed ? "full" : "quick");
  }

  async #test(agent: DiscoveredAgent, { selected, filtered }: Selection, clients: PeerClients): Promise<Ending> {
    const options = this.#options;
    const { versions, isTestbed } = agent;
    const depth = this.#depthFor(agent);
    const observations = new Observations(this.#emit);
    const context = await RunContext.open({
      options,
      versions,
      clients,
      log: this.#log,
      isTestbed,
      receives: depth === "full" || depth === "quick",
      observe: (one, target, run) => observations.observe(one, target, run),
      onWorked: (ms) => this.#estimate(ms),
    });
    try {
      const plan = planRun({
        checks: selected,
        filtered,
        versions: context.versions,
        depth,
        budget: options.budget,
        rude: options.rude ?? isTestbed,
        acceptedAt: agent.acceptedAt,
      });
      this.#budget = new Budget(plan.allowance);
      context.budget = this.#budget;
      const reports = this.#reportsFor(context);
      const gates = this.#gatesFor(plan, context, reports, depth);
      if (depth !== "card" && !(await this.#contact(context, gates)))
        return { ending: "login-required", ...loginMessage(agent.facts.card) };
      this.#emit(planned(plan, versions));
      await this.#runChecks(plan, context, reports);
      for (const gate of gates) gate.conclude();
      for (const text of await context.end()) this.#emit({ event: "note", text });
      return { ending: options.signal.aborted ? "interrupted" : "done" };
    } finally {
      await context.close();
    }
  }

  #reportsFor(context: RunContext): Reports {
    const [masker, emit] = [this.#masker, this.#emit];
    return new Map(context.versions.map((version) => [version, reportingFor(version, this.#options, masker, emit)]));
  }

  /** One gate for each target, in their order: no call is judged before the first contact. */
  #gatesFor(plan: Plan, context: RunContext, reports: Reports, depth: Depth): ContactGate[] {
    const { signal } = this.#options;
    for (const { check, on, instead, version } of plan.checks)
      if (check.kind === "passive" && instead) reports.get(version)!.finding({ check, on }, instead);
    const gates = context.targets.map(({ on }) => {
      const report = reports.get(context.versionOf(on))!;
      return new ContactGate(passiveChecksOn(on, plan.checks, { ...report.context, depth }), on, report);
    });
    context.onCall((call) => {
      if (!signal.aborted) for (const gate of gates) gate.receive(call);
    });
    return gates;
  }

  /** Makes the first call on every interface; false where each of them asks for a login. */
  async #contact({ targets }: RunContext, gates: readonly ContactGate[]): Promise<boolean> {
    const obstacles = await Promise.all(targets.map(obstacleAt));
    for (const [index, gate] of gates.entries()) {
      const obstacle = obstacles[index];
      if (obstacle) gate.close(obstacle);
      else gate.open();
    }
    return obstacles.length === 0 || !obstacles.every(isLoginObstacle);
  }

  async #runChecks(plan: Plan, { targets }: RunContext, reports: Reports): Promise<void> {
    const { signal } = this.#options;
    await Promise.all(targets.map((target) => makeTelling(target, plan)));
    await Promise.all(
      plan.checks.map((entry) => {
        const target = targets.find(({ on }) => on === entry.on);
        return runCheck(entry, { target, report: reports.get(entry.version)!, signal });
      }),
    );
  }

  /** After the first message: how long all of them will take, two at a time. */
  #estimate(ms: number): void {
    if (this.#isEstimated) return;
    this.#isEstimated = true;
    const totalMs = Math.round((ms * this.#budget.expected) / 2);
    this.#emit({ event: "estimated", perMessageMs: Math.round(ms), totalMs });
  }

  #finish({ ending, message, hint }: Ending): void {
    this.#log.writeRest();
    this.#emit({
      event: "run-finished",
      at: new Date().toISOString(),
      ending,
      duration_ms: Math.round(performance.now() - this.#startedAt),
      workingMessages: this.#budget.spent,
      ...(message !== undefined && { message }),
      ...(hint !== undefined && { hint }),
    });
  }
}

/** What shows most of what an agent that does not validate accepts: it comes first, because it may be the last. */
const telling: readonly Observation<unknown>[] = [invalidInput, unknownTask];

async function makeTelling(target: InterfaceUnderTest, { checks }: Plan): Promise<void> {
  const here = checks.filter(({ on, instead }) => on === target.on && !instead);
  const used = new Set(here.flatMap(({ check }) => (check.kind === "active" ? Object.values(check.uses) : [])));
  // What stands in the way of an observation is reported by the checks that need it.
  for (const one of telling) if (used.has(one)) await target.observe(one).catch(() => {});
}

/** What stands in the way of the first call on an interface, if anything does. */
async function obstacleAt(target: InterfaceUnderTest): Promise<Obstacle | undefined> {
  try {
    await target.observe(firstContact);
    return undefined;
  } catch (error) {
    if (error instanceof Obstacle) return error;
    throw error;
  }
}

const isLoginObstacle = (obstacle: Obstacle | undefined): boolean =>
  obstacle?.kind.is === "not-examined" && obstacle.kind.reason === "login";
