import { normaliseCard } from "@assay/protocol";
import { createMasker, createPeerClients, type PeerInterface } from "@assay/wire";
import { factsOf, speakableIn } from "../agent-facts.ts";
import type { CardCheck, CardSighting, Check, ProbeCheck, TrafficCheck } from "../check.ts";
import { checks as allChecks } from "../checks/index.ts";
import type { Finding } from "../finding.ts";
import type { Observation } from "../observation.ts";
import { contact } from "../observations/contact.ts";
import { Obstacle } from "../obstacle.ts";
import { gravest } from "../policy.ts";
import type { AgentFound, RunEnding, RunEvent } from "../report/events.ts";
import { catalogue, ruleOf, ruleSet } from "../rules/catalogue.ts";
import { isTestbed, stimuliFor } from "../stimuli/prompts.ts";
import { startReceiver, type WebhookReceiver } from "../webhook/receiver.ts";
import { Bench } from "./bench.ts";
import { Budget } from "./budget.ts";
import { Diary, interfaceName } from "./diary.ts";
import { EventQueue } from "./event-queue.ts";
import { findAgent } from "./find-agent.ts";
import type { TestOptions } from "./options.ts";
import { type PlannedCheck, planRun } from "./plan.ts";
import { obstructedResult, type ResultContext, resultOf, troubleResult } from "./results.ts";
import { select } from "./select.ts";
import { Debts, type Session } from "./session.ts";
import { Pace, Slots } from "./slots.ts";
import { tidy } from "./tidy.ts";
import { Watchers } from "./watchers.ts";

/** Tests an agent and tells everything as it happens. Whatever the agent does, the run goes on to its end. */
export async function* testAgent(options: TestOptions): AsyncGenerator<RunEvent, void> {
  const queue = new EventQueue<RunEvent>();
  const abandoned = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, abandoned.signal]) : abandoned.signal;
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

const atATime = { calls: 4, work: 2 };

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
    const { options } = { options: this.#options };
    const { selected, filtered } = select(allChecks, options);
    const masker = createMasker(options.secrets ?? []);
    const diary = new Diary(masker, this.#emit);
    const clients = createPeerClients({ ...options.connection, recording: diary.recording });
    let webhook: WebhookReceiver | undefined;
    try {
      const search = await this.#search(clients.http, diary);
      if (!search) return;
      const { found, given } = search;
      const declared = normaliseCard(found.json).interfaces;
      const { tested, leftOut } = chooseInterfaces(speakableIn(declared), options);
      const facts = factsOf(found.json, found.url, tested);
      const stimuli = stimuliFor(facts, options);
      const depth = options.depth ?? (isTestbed(facts) ? "full" : "quick");
      this.#emit({
        event: "run-started",
        run: options.run,
        at: new Date(Date.now() - (performance.now() - this.#startedAt)).toISOString(),
        tool: { name: "assay", version: options.version },
        ruleSet,
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
      webhook = depth === "full" || depth === "quick" ? await openWebhook(options, facts.pushNotifications) : undefined;
      const plan = planRun({
        checks: selected,
        filtered,
        interfaces: tested,
        situation: { facts, stimuli, options, hasWebhook: webhook !== undefined },
        depth,
        budget: options.budget,
        rude: options.rude ?? isTestbed(facts),
      });
      this.#budget = new Budget(plan.workingMessages);
      const context: ResultContext = {
        masker,
        strict: options.strict ?? false,
        run: options.run,
        baseline: options.baseline ?? [],
        today: new Date().toISOString().slice(0, 10),
      };
      const report = new Reporting(context, this.#emit);
      const watching = this.#watchersFor(plan.checks, tested, report);
      let worked = false;
      const session: Session = {
        options,
        facts,
        stimuli,
        clients,
        diary,
        masker,
        budget: this.#budget,
        callSlots: new Slots(options.concurrency ?? atATime.calls),
        workSlots: new Slots(atATime.work),
        pace: new Pace(options.rate),
        webhook,
        debts: new Debts(),
        signal: options.signal,
        emit: this.#emit,
        onTalk: (talk) => {
          for (const watchers of watching)
            watchers.see(talk, (check, finding) => report.finding({ check, on: talk.on }, finding));
        },
        onWorked: (ms) => {
          if (worked) return;
          worked = true;
          const totalMs = Math.round((ms * plan.workingMessages) / atATime.work);
          this.#emit({ event: "estimated", perMessageMs: Math.round(ms), totalMs });
        },
        observe: (one, lab) => this.#observe(one, lab, session),
      };
      const labs = labsFor(session, tested);
      if (depth !== "card" && tested.length && (await this.#wantsLogin(labs))) {
        this.#finish("login-required", loginWords(facts.card));
        return;
      }
      this.#emit({
        event: "planned",
        checks: plan.checks.length,
        rules: new Set(plan.checks.map(({ check }) => check.id)).size,
        workingMessages: plan.workingMessages,
        withoutCheck: withoutCheck(),
      });
      const sighting: CardSighting = { exchange: found.exchange, url: found.url, json: found.json, facts, given };
      await this.#runAll(plan.checks, labs, sighting, report);
      for (const [index, watchers] of watching.entries()) {
        for (const said of watchers.conclude()) {
          const place = { check: said.check, on: tested[index] };
          if ("finding" in said) report.finding(place, said.finding);
          else report.trouble(place, said.trouble);
        }
      }
      for (const text of await tidy(session.debts)) this.#emit({ event: "note", text });
      diary.writeRest();
      this.#finish(options.signal.aborted ? "interrupted" : "done");
    } finally {
      await webhook?.close();
      await clients.close();
    }
  }

  /** The card; without one the run is over before it began, and says why. */
  async #search(http: Parameters<typeof findAgent>[0], diary: Diary) {
    const search = await findAgent(http, this.#options, (ms) => new Promise((resolve) => setTimeout(resolve, ms)));
    if (search.found) return search;
    const { options } = { options: this.#options };
    this.#emit({
      event: "run-started",
      run: options.run,
      at: new Date().toISOString(),
      tool: { name: "assay", version: options.version },
      ruleSet,
      agentUrl: options.url,
      depth: options.depth ?? "quick",
      strict: options.strict ?? false,
    });
    diary.writeRest();
    const { ending, message, hint } = search;
    this.#finish(options.signal.aborted ? "interrupted" : ending, { message, hint });
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

  #watchersFor(planned: readonly PlannedCheck[], tested: readonly PeerInterface[], report: Reporting): Watchers[] {
    return tested.map((on) => {
      const here = planned.filter((entry) => entry.check.kind === "traffic" && entry.on === on);
      for (const { check, instead } of here) if (instead) report.finding({ check, on }, instead);
      const checks = here.flatMap(({ check, instead }) => (instead ? [] : [check as TrafficCheck]));
      return new Watchers(on, checks, this.#options.strict ?? false);
    });
  }

  /** Whether every interface turns us away, so that there is nothing to test without a login. */
  async #wantsLogin(labs: readonly Bench[]): Promise<boolean> {
    const outcomes = await Promise.all(
      labs.map((lab) =>
        lab.observe(contact).then(
          () => false,
          (error: unknown) =>
            error instanceof Obstacle && error.kind.is === "not-examined" && error.kind.because.includes("login"),
        ),
      ),
    );
    return outcomes.every(Boolean);
  }

  async #runAll(
    planned: readonly PlannedCheck[],
    labs: readonly Bench[],
    card: CardSighting,
    report: Reporting,
  ): Promise<void> {
    await Promise.all(
      planned.map(async ({ check, on, instead }) => {
        if (check.kind === "traffic") return;
        if (instead) return report.finding({ check, on }, instead);
        if (check.kind === "card") return judgeCard(check, card, report, this.#options.strict ?? false);
        const lab = labs.find((each) => each.on === on)!;
        await this.#probe(check, lab, report);
      }),
    );
  }

  async #probe(check: ProbeCheck, lab: Bench, report: Reporting): Promise<void> {
    const place = { check, on: lab.on };
    try {
      const names = Object.keys(check.uses);
      const seen = await Promise.all(names.map((name) => lab.observe(check.uses[name]!)));
      if (this.#options.signal.aborted) throw interrupted();
      const startedAt = performance.now();
      report.started(place);
      const finding = await check.probe(Object.fromEntries(names.map((name, index) => [name, seen[index]])), lab);
      if (this.#options.signal.aborted) throw interrupted();
      report.finding({ ...place, duration: performance.now() - startedAt }, finding);
    } catch (error) {
      if (error instanceof Obstacle) report.obstacle(place, error);
      else if (this.#options.signal.aborted) report.obstacle(place, interrupted());
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
    if (one !== (contact as Observation<unknown>)) await lab.observe(contact);
    for (const need of one.uses ?? []) await lab.observe(need);
    const make = (): Promise<T> => {
      this.#emit({ event: "observing", what: one.name, interface: interfaceName(lab.on) });
      return one.make(lab.during(one.name));
    };
    return one.messages > 0 ? session.workSlots.run(make) : make();
  }
}

/** Turns what was found into events. */
class Reporting {
  readonly #context: ResultContext;
  readonly #emit: (event: RunEvent) => void;

  constructor(context: ResultContext, emit: (event: RunEvent) => void) {
    this.#context = context;
    this.#emit = emit;
  }

  started({ check, on }: Place): void {
    this.#emit({
      event: "check-started",
      test: check.id,
      title: check.title,
      ...(on && { interface: interfaceName(on) }),
    });
  }

  finding(place: Place, finding: Finding): void {
    this.#emit({ event: "check-finished", result: resultOf(this.#context, place, finding) });
  }

  obstacle(place: Place, { kind }: Obstacle): void {
    this.#emit({ event: "check-finished", result: obstructedResult(this.#context, place, kind) });
  }

  trouble(place: Place, error: unknown): void {
    const because = error instanceof Error ? `our own error: ${error.message}` : `our own error: ${String(error)}`;
    this.#emit({ event: "check-finished", result: troubleResult(this.#context, place, because) });
  }
}

interface Place {
  readonly check: Check;
  readonly on?: PeerInterface | undefined;
  readonly duration?: number;
}

function judgeCard(check: CardCheck, card: CardSighting, report: Reporting, strict: boolean): void {
  try {
    const findings = [check.judge(card)].flat();
    const worst = gravest(ruleOf(check.id)!, findings, strict);
    // The card is the evidence of whatever is said about it.
    report.finding({ check }, "at" in worst && worst.at.length === 0 ? { ...worst, at: [card.exchange] } : worst);
  } catch (error) {
    report.trouble({ check }, error);
  }
}

/** The first interface of each binding and version: what others of the same kind differ in is examined by its own rules. */
function chooseInterfaces(
  speakable: readonly PeerInterface[],
  { bindings, dialects }: Pick<TestOptions, "bindings" | "dialects">,
): { tested: PeerInterface[]; leftOut: AgentFound["leftOut"] } {
  const tested: PeerInterface[] = [];
  const leftOut: { interface: ReturnType<typeof interfaceName>; because: string }[] = [];
  for (const on of speakable) {
    const because = whyLeftOut(on, tested, bindings, dialects);
    if (because === undefined) tested.push(on);
    else if (leftOut.length < 50) leftOut.push({ interface: interfaceName(on), because });
  }
  return { tested, leftOut };
}

function whyLeftOut(
  on: PeerInterface,
  tested: readonly PeerInterface[],
  bindings: TestOptions["bindings"],
  dialects: TestOptions["dialects"],
): string | undefined {
  if (bindings && !bindings.includes(on.binding)) return "left out by --binding";
  if (dialects && !dialects.includes(on.dialect)) return "left out by --dialect";
  if (on.dialect !== "1.0") return `the rules of ${on.dialect} have no checks yet`;
  const same = tested.find(({ binding, dialect }) => binding === on.binding && dialect === on.dialect);
  return same && "the first interface of this binding and version is tested";
}

/** One lab for each interface; each knows the others. */
function labsFor(session: Session, tested: readonly PeerInterface[]): Bench[] {
  const siblings = (lab: Bench): Bench[] =>
    tested.map((on) => new Bench(session, { on, principal: lab.principal }, siblings));
  return tested.map((on) => new Bench(session, { on, principal: "user" }, siblings));
}

/** A receiver for notifications, where the agent claims to send any and could reach it. */
async function openWebhook(options: TestOptions, claimed: boolean): Promise<WebhookReceiver | undefined> {
  if (!claimed) return undefined;
  const { webhook, url } = options;
  const { hostname } = new URL(options.card ?? url);
  const isLocal = /^(localhost|127\.|\[::1\])/.test(hostname);
  if (!webhook && !isLocal) return undefined;
  const { host, port } = webhook?.listen ?? { host: "127.0.0.1", port: 0 };
  return startReceiver({ host, port, ...(webhook?.url !== undefined && { url: webhook.url }) });
}

/** What the card says about how to log in, and the flags that do it. */
function loginWords(card: Record<string, unknown>): { message: string; hint: string } {
  const schemes = card["securitySchemes"];
  const names = typeof schemes === "object" && schemes !== null ? Object.keys(schemes).slice(0, 5) : [];
  const asks = names.length
    ? `its card names ${names.map((name) => JSON.stringify(name)).join(", ")}`
    : "its card does not say how";
  return {
    message: `This agent asks for a login: ${asks}.`,
    hint: "Give one: --bearer env:TOKEN, --api-key name=env:KEY or --basic user:env:PASSWORD",
  };
}

const interrupted = (): Obstacle =>
  new Obstacle({ is: "not-examined", reason: "interrupted", because: "the run was interrupted" });

const withoutCheck = (): number => {
  const checked = new Set(allChecks.map(({ id }) => id));
  return catalogue.filter(
    ({ id, actor, testability }) => actor !== "client" && testability !== "unobservable" && !checked.has(id),
  ).length;
};
