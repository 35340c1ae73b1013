import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { createMasker, createPeerClients, type HttpClient, type Masker, type PeerInterface } from "@assay/wire";
import { type AgentFacts, factsOf } from "../agent-facts.ts";
import type { ActiveCheck, PassiveCheck } from "../check.ts";
import { checks as allChecks } from "../checks/index.ts";
import type { Observation } from "../observation.ts";
import { firstContact } from "../observations/first-contact.ts";
import { Obstacle } from "../obstacle.ts";
import type { AgentFound, Depth, RunEnding, RunEvent } from "../report/events.ts";
import { catalogues, defaultRuleSet, type RuleSet, ruleSetFor } from "../rules/catalogue.ts";
import { permissions } from "../rules/permissions.ts";
import { isTestbed } from "../stimuli/prompts.ts";
import type { InterfaceUnderTest } from "./bench.ts";
import { Budget } from "./budget.ts";
import { Diary, interfaceName } from "./diary.ts";
import { EventQueue } from "./event-queue.ts";
import { findAgent } from "./find-agent.ts";
import { Gate } from "./gate.ts";
import type { TestOptions } from "./options.ts";
import { type PlannedCheck, type PlanVisit, planRun } from "./plan.ts";
import { type Place, Reporting } from "./reporting.ts";
import { select } from "./select.ts";
import type { Session } from "./session.ts";
import { isOnThisMachine, Sitting } from "./sitting.ts";
import { type Visit, visitsTo } from "./visits.ts";
import { Watchers } from "./watchers.ts";
import { aboutAnother, loginWords, noInterfaceWords } from "./words.ts";

/** Tests an agent and tells everything as it happens. Whatever the agent does, the run goes on to its end. */
export async function* testAgent(options: TestOptions): AsyncGenerator<RunEvent, void> {
  const queue = new EventQueue<RunEvent>();
  const abandoned = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, abandoned.signal]) : abandoned.signal;
  // Every call and every pause listens to it: many at a time are no leak.
  setMaxListeners(0, signal);
  const run = new Run({ ...options, signal }, (event) => queue.push(event));
  const work = run.conduct().finally(() => queue.end());
  // Told below, when the reader has seen everything that came before it.
  work.catch(() => {});
  try {
    yield* queue;
    await work;
  } finally {
    abandoned.abort();
    await work.catch(() => {});
  }
}

class Run {
  readonly #options: TestOptions & { readonly signal: AbortSignal };
  readonly #emit: (event: RunEvent) => void;
  readonly #startedAt = performance.now();
  readonly #observations = new Map<string, Promise<unknown>>();
  #budget = new Budget(0);

  constructor(options: TestOptions & { readonly signal: AbortSignal }, emit: (event: RunEvent) => void) {
    this.#options = options;
    this.#emit = emit;
  }

  async conduct(): Promise<void> {
    const options = this.#options;
    const { selected, filtered } = select(allChecks, options);
    const masker = createMasker(options.secrets ?? []);
    const diary = new Diary(masker, this.#emit);
    const clients = createPeerClients({ ...options.connection, recording: diary.recording });
    let sitting: Sitting | undefined;
    try {
      const search = await this.#search(clients.http, diary, masker);
      if (!search) return;
      const { found } = search;
      const { visits, leftOut } = await visitsTo(clients.http, search, options);
      const first = visits[0]?.facts ?? factsOf(found.json, found.url, []);
      const isOurs = isTestbed(first) && isOnThisMachine(options);
      const depth = options.depth ?? (isOurs ? "full" : "quick");
      this.#emit({
        event: "run-started",
        run: options.run,
        at: new Date(Date.now() - (performance.now() - this.#startedAt)).toISOString(),
        tool: { name: "assay", version: options.version },
        ruleSet: ruleSetsOf(visits, options).join("+"),
        agentUrl: masker.text(options.url),
        depth,
        strict: options.strict ?? false,
      });
      diary.writeRest();
      this.#emit(agentFound(visits, leftOut, first, masker));
      if (visits.length === 0) {
        diary.writeRest();
        this.#finish("no-interface", noInterfaceWords(leftOut));
        return;
      }
      const another = aboutAnother(
        options,
        found.url,
        visits.flatMap(({ facts }) => facts.declared.map(({ url }) => url)),
      );
      if (another !== undefined) this.#emit({ event: "note", text: masker.text(another) });
      let worked = false;
      sitting = await Sitting.open({
        options,
        visits,
        clients,
        diary,
        isOurs,
        receives: depth === "full" || depth === "quick",
        observe: (one, target, session) => this.#observe(one, target, session),
        onWorked: (ms) => {
          if (worked) return;
          worked = true;
          const totalMs = Math.round((ms * this.#budget.limit) / 2);
          this.#emit({ event: "estimated", perMessageMs: Math.round(ms), totalMs });
        },
      });
      const plan = planRun({
        checks: selected,
        filtered,
        visits: sitting.places.map((place) => ({
          ...place,
          interfaces: place.visit.interfaces,
          ruleSet: ruleSetFor(place.visit.dialect, options.ruleSet),
          hasCard: place.visit.card !== undefined,
          declared: place.visit.declared,
        })),
        depth,
        budget: options.budget,
        rude: options.rude ?? isOurs,
      });
      this.#budget = new Budget(plan.workingMessages);
      sitting.allow(this.#budget);
      const context = {
        masker,
        strict: options.strict ?? false,
        baseline: options.baseline ?? [],
        today: new Date().toISOString().slice(0, 10),
      };
      const reports = new Map(
        visits.map((visit) => {
          const { dialect, declared } = visit;
          const own = { ...context, dialect, declared, ruleSet: ruleSetFor(dialect, options.ruleSet) };
          return [visit, new Reporting(own, this.#emit)];
        }),
      );
      const gates = sitting.targets.map(({ on }) => {
        const { visit } = sitting!.placeOf(on);
        return new Gate(this.#watchersFor(plan.checks, on, reports.get(visit)!, depth), on, reports.get(visit)!);
      });
      sitting.listen((call) => {
        if (options.signal.aborted) return;
        for (const gate of gates) gate.hear(call);
      });
      if (depth !== "card") {
        const obstacles = await Promise.all(sitting.targets.map((target) => this.#greet(target)));
        for (const [index, gate] of gates.entries()) gate.open(obstacles[index]);
        if (obstacles.length && obstacles.every(isLoginObstacle)) {
          diary.writeRest();
          this.#finish("login-required", loginWords(first.card));
          return;
        }
      }
      this.#emit({
        event: "planned",
        checks: plan.checks.length,
        rules: new Set(plan.checks.map(({ check, visit }) => `${check.id} ${visit.situation.facts.dialect}`)).size,
        workingMessages: plan.workingMessages,
        withoutCheck: withoutCheck(visits),
      });
      await this.#runAll(plan.checks, sitting.targets, reports);
      for (const gate of gates) gate.conclude();
      for (const text of await sitting.tidy()) this.#emit({ event: "note", text });
      diary.writeRest();
      this.#finish(options.signal.aborted ? "interrupted" : "done");
    } finally {
      await sitting?.close();
      await clients.close();
    }
  }

  /** The card; without one the run is over before it began, and says why. */
  async #search(http: HttpClient, diary: Diary, masker: Masker) {
    const options = this.#options;
    const search = await findAgent(http, options, pauseFor(options.signal));
    if (search.found) return search;
    this.#emit({
      event: "run-started",
      run: options.run,
      at: new Date().toISOString(),
      tool: { name: "assay", version: options.version },
      ruleSet: options.ruleSet ?? defaultRuleSet,
      agentUrl: masker.text(options.url),
      depth: options.depth ?? "quick",
      strict: options.strict ?? false,
    });
    diary.writeRest();
    const { ending, message, hint } = search;
    const words = { message: masker.text(message), hint: masker.text(hint) };
    this.#finish(options.signal.aborted ? "interrupted" : ending, words);
    return undefined;
  }

  #finish(ending: RunEnding, words: { message?: string; hint?: string } = {}): void {
    this.#emit({
      event: "run-finished",
      at: new Date().toISOString(),
      ending,
      duration_ms: Math.round(performance.now() - this.#startedAt),
      workingMessages: this.#budget.spent,
      ...words,
    });
  }

  #watchersFor(
    planned: readonly PlannedCheck<PlannedVisit>[],
    on: PeerInterface,
    report: Reporting,
    depth: Depth,
  ): Watchers {
    const here = planned.filter((entry) => entry.check.kind === "passive" && entry.on === on);
    for (const { check, instead } of here) if (instead) report.finding({ check, on }, instead);
    const checks = here.flatMap(({ check, instead }) => (instead ? [] : [check as PassiveCheck]));
    return new Watchers(on, checks, { ...report.context, depth });
  }

  /** The first call on an interface; what stands in the way, if anything does. */
  async #greet(target: InterfaceUnderTest): Promise<Obstacle | undefined> {
    try {
      await target.observe(firstContact);
      return undefined;
    } catch (error) {
      if (error instanceof Obstacle) return error;
      throw error;
    }
  }

  async #runAll(
    planned: readonly PlannedCheck<PlannedVisit>[],
    targets: readonly InterfaceUnderTest[],
    reports: ReadonlyMap<Visit, Reporting>,
  ): Promise<void> {
    await Promise.all(
      planned.map(async ({ check, on, instead, shownBy = [], visit: { visit } }) => {
        const report = reports.get(visit)!;
        if (check.kind === "passive") {
          const here = targets.find((each) => each.on === on);
          // Whether it can be made is for those to say who judge it.
          await Promise.allSettled(shownBy.map((one) => here?.observe(one)));
          return;
        }
        if (instead) return report.finding({ check, on }, instead);
        if (check.kind === "card") return report.judge(check, visit.card!);
        const target = targets.find((each) => each.on === on)!;
        await this.#probe(check, target, report, shownBy);
      }),
    );
  }

  async #probe(
    check: ActiveCheck,
    target: InterfaceUnderTest,
    report: Reporting,
    shownBy: readonly Observation<unknown>[],
  ): Promise<void> {
    const names = Object.keys(check.uses);
    // What is asked beside the interface is about the agent as a whole.
    const isAside = names.length > 0 && names.every((name) => check.uses[name]!.aside);
    const place: Place = { check, on: isAside ? undefined : target.on };
    try {
      // Nobody is judged by what is asked of an address where nobody speaks.
      if (!isAside) await target.observe(firstContact);
      const seen = await Promise.all(names.map((name) => target.observe(check.uses[name]!)));
      const besides = Object.entries(check.also ?? {}).filter(([, one]) => shownBy.includes(one));
      // Where it cannot be made, others say why.
      const more = await Promise.allSettled(
        besides.map(async ([name, one]) => [name, await target.observe(one)] as const),
      );
      const also = Object.fromEntries(more.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])));
      if (this.#options.signal.aborted) throw interrupted();
      const startedAt = performance.now();
      report.started(place);
      const needed = Object.fromEntries(names.map((name, index) => [name, seen[index]]));
      const finding = await check.judge({ ...also, ...needed }, target);
      if (this.#options.signal.aborted) throw interrupted();
      report.finding({ ...place, duration: performance.now() - startedAt }, finding);
    } catch (error) {
      // What was cut off in the middle looks like anything, and proves nothing.
      if (this.#options.signal.aborted) report.obstacle(place, interrupted());
      else if (error instanceof Obstacle) report.obstacle(place, error);
      else report.trouble(place, error);
    }
  }

  /** Once per interface, principal and tenant; whoever comes later gets what the first one saw. */
  #observe<T>(one: Observation<T>, target: InterfaceUnderTest, session: Session): Promise<T> {
    const { url, binding, dialect, tenant } = target.on;
    const key = JSON.stringify([one.name, url, binding, dialect, tenant, target.principal]);
    const known = this.#observations.get(key);
    // Whoever made it under this name made it with this type.
    if (known) return known as Promise<T>;
    const made = this.#make(one, target, session);
    made.catch(() => {});
    this.#observations.set(key, made);
    return made;
  }

  async #make<T>(one: Observation<T>, target: InterfaceUnderTest, session: Session): Promise<T> {
    if (one !== (firstContact as Observation<unknown>) && !one.aside) await target.observe(firstContact);
    for (const need of one.uses ?? []) await target.observe(need);
    const make = (): Promise<T> => {
      this.#emit({ event: "observing", what: one.name, interface: interfaceName(target.on) });
      return one.make(target.during(one));
    };
    return one.messages > 0 ? session.workSlots.run(make) : make();
  }
}

/** A version of the protocol in the plan, and where it stands in the sitting. */
interface PlannedVisit extends PlanVisit {
  readonly visit: Visit;
}

const ruleSetsOf = (visits: readonly Visit[], { ruleSet }: TestOptions): RuleSet[] =>
  visits.length ? visits.map(({ dialect }) => ruleSetFor(dialect, ruleSet)) : [ruleSetFor("1.0", ruleSet)];

function agentFound(
  visits: readonly Visit[],
  leftOut: AgentFound["leftOut"],
  first: AgentFacts,
  masker: Masker,
): AgentFound {
  const claims = (capability: "streaming" | "pushNotifications" | "extendedAgentCard"): boolean =>
    visits.some(({ facts }) => facts[capability]);
  return {
    event: "agent-found",
    cardUrl: masker.text(first.cardUrl),
    name: masker.text(first.name.slice(0, 200)),
    version: masker.text(first.version.slice(0, 100)),
    dialects: visits.map(({ dialect, because, declared, card }) => ({
      dialect,
      because: masker.text(because),
      ...(declared && { declared }),
      ...(card && { cardUrl: masker.text(card.url) }),
    })),
    interfaces: visits.flatMap(({ interfaces }) => interfaces.map(interfaceName)),
    leftOut,
    capabilities: {
      streaming: claims("streaming"),
      pushNotifications: claims("pushNotifications"),
      extendedAgentCard: claims("extendedAgentCard"),
    },
  };
}

/** Waits, or not any longer once the run is interrupted. */
const pauseFor =
  (signal: AbortSignal) =>
  (ms: number): Promise<void> =>
    delay(ms, undefined, { signal }).catch(() => {});

const interrupted = (): Obstacle =>
  new Obstacle({ is: "not-examined", reason: "interrupted", because: "the run was interrupted" });

const isLoginObstacle = (obstacle: Obstacle | undefined): boolean =>
  obstacle?.kind.is === "not-examined" && obstacle.kind.reason === "login";

const withoutCheck = (visits: readonly Visit[]): number => {
  const checked = new Set(allChecks.map(({ id }) => id));
  const rules = visits.flatMap(({ dialect }) => catalogues[dialect]);
  const missing = rules.filter(
    ({ id, actor, testability }) =>
      actor !== "client" && testability !== "unobservable" && !checked.has(id) && !permissions[id],
  );
  return new Set(missing.map(({ id }) => id)).size;
};
