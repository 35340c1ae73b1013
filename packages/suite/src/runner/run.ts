import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { normaliseCard } from "@assay/protocol";
import { createMasker, createPeerClients, type HttpClient, type Masker, type PeerInterface } from "@assay/wire";
import { factsOf, speakableIn } from "../agent-facts.ts";
import type { CardSighting, ProbeCheck, TrafficCheck } from "../check.ts";
import { checks as allChecks } from "../checks/index.ts";
import type { Observation } from "../observation.ts";
import { contact } from "../observations/contact.ts";
import { Obstacle } from "../obstacle.ts";
import type { Depth, RunEnding, RunEvent } from "../report/events.ts";
import { catalogue, defaultRuleSet } from "../rules/catalogue.ts";
import { permissions } from "../rules/permissions.ts";
import { isTestbed, stimuliFor } from "../stimuli/prompts.ts";
import { startReceiver, type WebhookReceiver } from "../webhook/receiver.ts";
import { Bench } from "./bench.ts";
import { Budget } from "./budget.ts";
import { chooseInterfaces } from "./choose-interfaces.ts";
import { Debts } from "./debts.ts";
import { Diary, interfaceName } from "./diary.ts";
import { EventQueue } from "./event-queue.ts";
import { findAgent } from "./find-agent.ts";
import { Gate } from "./gate.ts";
import type { TestOptions } from "./options.ts";
import { type PlannedCheck, planRun } from "./plan.ts";
import { type Place, Reporting } from "./reporting.ts";
import type { ResultContext } from "./results.ts";
import { select } from "./select.ts";
import type { Session } from "./session.ts";
import { Pace, Slots } from "./slots.ts";
import { tidy } from "./tidy.ts";
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

/** How much is asked at a time. The skills of the test bed cost nobody anything, so there is no need to be sparing. */
const atATime = { calls: 4, work: 2, testbed: { calls: 8, work: 12 } };

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
    let webhook: WebhookReceiver | undefined;
    try {
      const search = await this.#search(clients.http, diary, masker);
      if (!search) return;
      const { found, given } = search;
      const declared = normaliseCard(found.json).interfaces;
      const { tested, leftOut } = chooseInterfaces(speakableIn(declared), options);
      const facts = factsOf(found.json, found.url, tested);
      const stimuli = stimuliFor(facts, options);
      const isOurs = isTestbed(facts) && isOnThisMachine(options);
      const depth = options.depth ?? (isOurs ? "full" : "quick");
      this.#emit({
        event: "run-started",
        run: options.run,
        at: new Date(Date.now() - (performance.now() - this.#startedAt)).toISOString(),
        tool: { name: "assay", version: options.version },
        ruleSet: options.ruleSet ?? defaultRuleSet,
        agentUrl: masker.text(options.url),
        depth,
        strict: options.strict ?? false,
      });
      diary.writeRest();
      this.#emit({
        event: "agent-found",
        cardUrl: masker.text(found.url),
        name: masker.text(facts.name.slice(0, 200)),
        version: masker.text(facts.version.slice(0, 100)),
        interfaces: tested.map(interfaceName),
        leftOut,
        capabilities: {
          streaming: facts.streaming,
          pushNotifications: facts.pushNotifications,
          extendedAgentCard: facts.extendedAgentCard,
        },
      });
      if (tested.length === 0 && leftOut.length > 0) {
        diary.writeRest();
        this.#finish("no-interface", noInterfaceWords(leftOut));
        return;
      }
      const another = aboutAnother(
        options,
        found.url,
        declared.map(({ url }) => url),
      );
      if (another !== undefined) this.#emit({ event: "note", text: masker.text(another) });
      webhook = depth === "full" || depth === "quick" ? await openWebhook(options, facts.pushNotifications) : undefined;
      const plan = planRun({
        checks: selected,
        filtered,
        interfaces: tested,
        situation: { facts, stimuli, options, hasWebhook: webhook !== undefined },
        depth,
        budget: options.budget,
        ruleSet: options.ruleSet ?? defaultRuleSet,
        rude: options.rude ?? isOurs,
      });
      this.#budget = new Budget(plan.workingMessages);
      const context: ResultContext = {
        masker,
        strict: options.strict ?? false,
        ruleSet: options.ruleSet ?? defaultRuleSet,
        baseline: options.baseline ?? [],
        today: new Date().toISOString().slice(0, 10),
      };
      const report = new Reporting(context, this.#emit);
      const gates = this.#watchersFor(plan.checks, tested, report, depth).map(
        (watchers, index) => new Gate(watchers, tested[index]!, report),
      );
      let worked = false;
      const session: Session = {
        options,
        facts,
        stimuli,
        clients,
        diary,
        budget: this.#budget,
        callSlots: new Slots(options.concurrency ?? (isOurs ? atATime.testbed : atATime).calls),
        workSlots: new Slots((isOurs ? atATime.testbed : atATime).work),
        pace: new Pace(options.rate),
        webhook,
        debts: new Debts(),
        subscribesByGet: new Set(),
        signal: options.signal,
        onTalk: (talk) => {
          if (options.signal.aborted) return;
          for (const gate of gates) gate.hear(talk);
        },
        onWorked: (ms) => {
          if (worked) return;
          worked = true;
          const totalMs = Math.round((ms * plan.workingMessages) / atATime.work);
          this.#emit({ event: "estimated", perMessageMs: Math.round(ms), totalMs });
        },
        observe: (one, lab) => this.#observe(one, lab, session),
        afterwards: false,
      };
      const labs = labsFor(session, tested);
      if (depth !== "card") {
        const obstacles = await Promise.all(labs.map((lab) => this.#greet(lab)));
        for (const [index, gate] of gates.entries()) gate.open(obstacles[index]);
        if (tested.length && obstacles.every(isLoginObstacle)) {
          diary.writeRest();
          this.#finish("login-required", loginWords(facts.card));
          return;
        }
      }
      this.#emit({
        event: "planned",
        checks: plan.checks.length,
        rules: new Set(plan.checks.map(({ check }) => check.id)).size,
        workingMessages: plan.workingMessages,
        withoutCheck: withoutCheck(),
      });
      const { exchange, url, json } = found;
      const { production = false, expectations = {} } = options;
      const sighting: CardSighting = { exchange, url, json, facts, given, production, expectations };
      await this.#runAll(plan.checks, labs, sighting, report);
      for (const gate of gates) gate.conclude();
      session.afterwards = true;
      for (const text of await tidy(session.debts)) this.#emit({ event: "note", text });
      diary.writeRest();
      this.#finish(options.signal.aborted ? "interrupted" : "done");
    } finally {
      await webhook?.close();
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
    planned: readonly PlannedCheck[],
    tested: readonly PeerInterface[],
    report: Reporting,
    depth: Depth,
  ): Watchers[] {
    return tested.map((on) => {
      const here = planned.filter((entry) => entry.check.kind === "traffic" && entry.on === on);
      for (const { check, instead } of here) if (instead) report.finding({ check, on }, instead);
      const checks = here.flatMap(({ check, instead }) => (instead ? [] : [check as TrafficCheck]));
      return new Watchers(on, checks, { strict: this.#options.strict ?? false, depth });
    });
  }

  /** The first call on an interface; what stands in the way, if anything does. */
  async #greet(lab: Bench): Promise<Obstacle | undefined> {
    try {
      await lab.observe(contact);
      return undefined;
    } catch (error) {
      if (error instanceof Obstacle) return error;
      throw error;
    }
  }

  async #runAll(
    planned: readonly PlannedCheck[],
    labs: readonly Bench[],
    card: CardSighting,
    report: Reporting,
  ): Promise<void> {
    await Promise.all(
      planned.map(async ({ check, on, instead, occasions = [] }) => {
        if (check.kind === "traffic") {
          const here = labs.find((each) => each.on === on);
          // Whether it can be made is for those to say who judge it.
          await Promise.allSettled(occasions.map((one) => here?.observe(one)));
          return;
        }
        if (instead) return report.finding({ check, on }, instead);
        if (check.kind === "card") return report.judge(check, card);
        const lab = labs.find((each) => each.on === on)!;
        await this.#probe(check, lab, report, occasions);
      }),
    );
  }

  async #probe(
    check: ProbeCheck,
    lab: Bench,
    report: Reporting,
    occasions: readonly Observation<unknown>[],
  ): Promise<void> {
    const names = Object.keys(check.uses);
    // What is asked beside the interface is about the agent as a whole.
    const isAside = names.length > 0 && names.every((name) => check.uses[name]!.aside);
    const place: Place = { check, on: isAside ? undefined : lab.on };
    try {
      // Nobody is judged by what is asked of an address where nobody speaks.
      if (!isAside) await lab.observe(contact);
      const seen = await Promise.all(names.map((name) => lab.observe(check.uses[name]!)));
      const besides = Object.entries(check.also ?? {}).filter(([, one]) => occasions.includes(one));
      // Where it cannot be made, others say why.
      const more = await Promise.allSettled(
        besides.map(async ([name, one]) => [name, await lab.observe(one)] as const),
      );
      const also = Object.fromEntries(more.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])));
      if (this.#options.signal.aborted) throw interrupted();
      const startedAt = performance.now();
      report.started(place);
      const needed = Object.fromEntries(names.map((name, index) => [name, seen[index]]));
      const finding = await check.probe({ ...also, ...needed }, lab);
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
  #observe<T>(one: Observation<T>, lab: Bench, session: Session): Promise<T> {
    const { url, binding, tenant } = lab.on;
    const key = JSON.stringify([one.name, url, binding, tenant, lab.principal]);
    const known = this.#observations.get(key);
    // Whoever made it under this name made it with this type.
    if (known) return known as Promise<T>;
    const made = this.#make(one, lab, session);
    made.catch(() => {});
    this.#observations.set(key, made);
    return made;
  }

  async #make<T>(one: Observation<T>, lab: Bench, session: Session): Promise<T> {
    if (one !== (contact as Observation<unknown>) && !one.aside) await lab.observe(contact);
    for (const need of one.uses ?? []) await lab.observe(need);
    const make = (): Promise<T> => {
      this.#emit({ event: "observing", what: one.name, interface: interfaceName(lab.on) });
      return one.make(lab.during(one));
    };
    return one.messages > 0 ? session.workSlots.run(make) : make();
  }
}

/** One lab for each interface; each knows the others. */
function labsFor(session: Session, tested: readonly PeerInterface[]): Bench[] {
  const siblings = (lab: Bench): Bench[] =>
    tested.map((on) => new Bench(session, { on, principal: lab.principal }, siblings));
  return tested.map((on) => new Bench(session, { on, principal: "user" }, siblings));
}

const isOnThisMachine = ({ url, card }: TestOptions): boolean =>
  /^(localhost|127\.|\[::1\])/.test(new URL(card ?? url).hostname);

/** A receiver for notifications, where the agent claims to send any and could reach it. */
async function openWebhook(options: TestOptions, claimed: boolean): Promise<WebhookReceiver | undefined> {
  if (!claimed) return undefined;
  const { webhook } = options;
  if (!webhook && !isOnThisMachine(options)) return undefined;
  const { host, port } = webhook?.listen ?? { host: "127.0.0.1", port: 0 };
  // Who says where we listen, or how we are reached, says that the agent reaches us there.
  const declared = webhook !== undefined;
  return startReceiver({ host, port, declared, ...(webhook?.url !== undefined && { url: webhook.url }) });
}

/** Waits, or not any longer once the run is interrupted. */
const pauseFor =
  (signal: AbortSignal) =>
  (ms: number): Promise<void> =>
    delay(ms, undefined, { signal }).catch(() => {});

const interrupted = (): Obstacle =>
  new Obstacle({ is: "not-examined", reason: "interrupted", because: "the run was interrupted" });

const isLoginObstacle = (obstacle: Obstacle | undefined): boolean =>
  obstacle?.kind.is === "not-examined" &&
  obstacle.kind.reason === "credentials" &&
  obstacle.kind.because.includes("login");

const withoutCheck = (): number => {
  const checked = new Set(allChecks.map(({ id }) => id));
  return catalogue.filter(
    ({ id, actor, testability }) =>
      actor !== "client" && testability !== "unobservable" && !checked.has(id) && !permissions[id],
  ).length;
};
