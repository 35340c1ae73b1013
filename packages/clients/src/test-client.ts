import { setMaxListeners } from "node:events";
import { type Binding, bindings, type DialectVersion, dialects } from "@assay/protocol";
import {
  accomplished,
  situations as allSituations,
  ClientReporting,
  type ClientRequest,
  callsOf,
  catalogues,
  clientChecks,
  clientInterface,
  concerns,
  defaultRuleSet,
  EventQueue,
  judgeCall,
  maskedEvent,
  passiveClientChecks,
  ruleIn,
  type Situation,
  type SituationCheck,
  type SituationSeen,
  type SpokenInterface,
  selectClientRules,
  situationChecks,
} from "@assay/suite";
import type { RunEnding, RunEvent } from "@assay/suite/report";
import { createMasker, Recording, type Secret, secretsInHeader, toHarEntry } from "@assay/wire";
import type { ClientTestOptions } from "./options.ts";
import { type Performed, perform } from "./perform.ts";
import { stages } from "./stages/index.ts";

/** Tests a client and tells everything as it happens, in the events of any run. */
export async function* testClient(options: ClientTestOptions): AsyncGenerator<RunEvent, void> {
  const queue = new EventQueue<RunEvent>();
  const abandoned = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, abandoned.signal]) : abandoned.signal;
  // Every command listens to it.
  setMaxListeners(0, signal);
  const test = new ClientTest({ ...options, signal }, (event) => queue.push(event));
  const work = test.execute().finally(() => queue.end());
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

/** The situation that tells which versions and bindings a client speaks. */
const plainest: Situation = allSituations[0];

/** Bytes of one exchange that are written down as evidence. */
const mostBytes = 512 * 1024;

class ClientTest {
  readonly #options: ClientTestOptions & { readonly signal: AbortSignal };
  readonly #push: (event: RunEvent) => void;
  readonly #ids = new Recording({ keep: false });
  readonly #secrets: Secret[] = [];
  readonly #report: ClientReporting;
  readonly #done = new Map<string, Performed>();
  readonly #began = performance.now();
  /** those that the filter leaves */
  readonly #rules: ReadonlySet<string>;

  constructor(options: ClientTestOptions & { readonly signal: AbortSignal }, push: (event: RunEvent) => void) {
    this.#options = options;
    this.#push = push;
    this.#rules = new Set(selectClientRules(options));
    const { strict = false, baseline = [], ruleSet = defaultRuleSet, command } = options;
    const repeat = (situation: string | undefined): string | undefined =>
      situation && `assay client --situation ${situation} -- ${command.join(" ")}`;
    const claims = (dialect: DialectVersion): boolean => this.#claimed().includes(dialect);
    this.#report = new ClientReporting(
      { masker: createMasker([]), strict, baseline, ruleSet, repeat, claims },
      (event) => this.#emit(event),
    );
  }

  #emit(event: RunEvent): void {
    this.#push(maskedEvent(event, createMasker(this.#secrets)));
  }

  async execute(): Promise<void> {
    const { run, version, command, ruleSet = defaultRuleSet, strict = false, only, skip, situations } = this.#options;
    this.#emit({
      event: "run-started",
      subject: "client",
      run,
      at: new Date().toISOString(),
      tool: { name: "assay", version },
      ruleSet,
      agentUrl: command.join(" "),
      depth: "full",
      strict,
      ...((only?.length || skip?.length || situations?.length) && { filtered: true }),
    });
    const offered = this.#offered();
    await this.#inTurns(offered.map((on) => () => this.#perform(plainest, on)));
    // Which versions the client speaks is known when all were offered: by that it is judged.
    for (const performed of this.#done.values()) this.#judge(performed);
    const speaks = this.#speaks();
    this.#plan(speaks);
    for (const rank of ranks(this.#chosen()))
      await this.#inTurns(
        rank.flatMap((situation) =>
          speaks
            .filter((on) => fits(situation, on))
            .slice(0, situation.choice ? 1 : undefined)
            .map((on) => async () => this.#judge(await this.#perform(situation, on))),
        ),
      );
    this.#conclude(speaks);
    this.#finish();
  }

  /** Every version over every binding that it has and that is asked for. */
  #offered(): readonly SpokenInterface[] {
    const { bindings: wanted = bindings, dialects: versions = dialects } = this.#options;
    return dialects
      .toReversed()
      .filter((dialect) => versions.includes(dialect))
      .flatMap((dialect) =>
        bindingsOf(dialect)
          .filter((binding) => wanted.includes(binding))
          .map((binding) => ({ dialect, binding })),
      );
  }

  /** What the client used when it was offered nothing else. */
  #speaks(): readonly SpokenInterface[] {
    return this.#offered().filter((on) => {
      const { requests = [] } = this.#done.get(keyOf(plainest.id, on)) ?? {};
      return callsOf(requests).some((call) => call.on.dialect === on.dialect && call.on.binding === on.binding);
    });
  }

  /** The versions that are asked for; else the newest that the client speaks, for it never said that it speaks others as well. */
  #claimed(): readonly DialectVersion[] {
    const [newest] = this.#speaks();
    return this.#options.dialects ?? (newest ? [newest.dialect] : dialects);
  }

  #chosen(): readonly Situation[] {
    const { situations } = this.#options;
    const wanted: readonly Situation[] = allSituations.filter(({ id }) => id !== plainest.id);
    if (!situations?.length) return wanted.filter((situation) => this.#isWanted(situation));
    const needed = new Set<string>();
    const need = (id: string | undefined): void => {
      if (id === undefined || needed.has(id)) return;
      needed.add(id);
      need(wanted.find((each) => each.id === id)?.control);
    };
    for (const id of situations) need(id);
    return wanted.filter(({ id }) => needed.has(id));
  }

  /** Whether a filter of rules leaves anything to see in a situation, or in one that rests on it. */
  #isWanted({ id }: Situation): boolean {
    if (!this.#options.only?.length) return true;
    const rests = (allSituations as readonly Situation[]).filter(({ control }) => control === id);
    // Passive checks see something wherever the client calls.
    const shows =
      passiveClientChecks.some((check) => this.#isSelected(check.id)) ||
      situationChecks.some((check) => check.in.some((each) => each === id) && this.#isSelected(check.id));
    return shows || rests.some((each) => this.#isWanted(each));
  }

  #isSelected(id: string): boolean {
    return this.#rules.has(id);
  }

  #plan(speaks: readonly SpokenInterface[]): void {
    const versions = new Set(speaks.map(({ dialect }) => dialect));
    const planned = speaks.flatMap((on) => this.#checksOn(on).map((id) => `${id} ${on.dialect} ${on.binding}`));
    const rules = [...versions].flatMap((dialect) => catalogues[dialect].filter(({ actor }) => actor === "client"));
    const checked = new Set(clientChecks.map(({ id }) => id));
    this.#emit({
      event: "planned",
      checks: planned.length,
      rules: new Set(speaks.flatMap((on) => this.#checksOn(on).map((id) => `${id} ${on.dialect}`))).size,
      workingMessages: 0,
      withoutCheck: new Set(
        rules.filter(({ id, testability }) => testability !== "unobservable" && !checked.has(id)).map(({ id }) => id),
      ).size,
    });
  }

  /** The rules about clients that a version has over a binding, and that a check examines. */
  #checksOn({ dialect, binding }: SpokenInterface): readonly string[] {
    const ids = new Set(clientChecks.map(({ id }) => id));
    return [...ids].filter((id) => {
      const rule = ruleIn(dialect, id);
      return rule && concerns(rule, binding) && this.#isSelected(id);
    });
  }

  async #inTurns(tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
    const waiting = [...tasks];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) if (!this.#options.signal.aborted) await next();
    };
    await Promise.all(Array.from({ length: this.#options.concurrency ?? 2 }, work));
  }

  async #perform(situation: Situation, offered: SpokenInterface): Promise<Performed> {
    const performed = await perform(situation, stages[situation.id as keyof typeof stages], offered, {
      client: this.#options,
      recording: new Recording({ keep: false, bytesPerExchange: mostBytes, issueId: () => this.#ids.issueId() }),
      signal: this.#options.signal,
      emit: (event) => this.#emit(event),
      write: (exchange, request) => {
        this.#learnSecrets(request);
        this.#emit({
          event: "exchange",
          id: exchange.id,
          ...(request.is === "call" && request.operation && { operation: request.operation }),
          ...(request.is === "call" && { interface: nameOf(request.on) }),
          during: situation.id,
          entry: toHarEntry(createMasker(this.#secrets).exchange(exchange)),
        });
      },
    });
    this.#done.set(keyOf(situation.id, offered), performed);
    return performed;
  }

  /** What a client authenticates with is nobody else's affair, unless it is what we gave it. */
  #learnSecrets({ exchange }: ClientRequest): void {
    for (const [name, value] of exchange.http.request.headers)
      for (const secret of secretsInHeader(name, value)) {
        if (!this.#secrets.some(({ value: known }) => known === secret.value)) this.#secrets.push(secret);
      }
  }

  #judge(performed: Performed): void {
    const { situation, requests, agent, told, ended } = performed;
    if (ended === "declined" || ended === "not-started") return;
    for (const [index, call] of requests.entries()) {
      if (call.is !== "call") continue;
      const traffic = { agent, before: requests.slice(0, index), whole: true as const, told };
      const checks = passiveClientChecks.filter(({ id }) => this.#isSelected(id));
      for (const { check, findings } of judgeCall(call, traffic, checks))
        this.#report.finding(check, { dialect: call.on.dialect, on: call.on, situation: situation.id }, findings);
    }
    for (const check of situationChecks) {
      if (!check.in.some((id) => id === situation.id) || !this.#isSelected(check.id)) continue;
      this.#judgeBy(check, performed);
    }
  }

  #judgeBy(check: SituationCheck, performed: Performed): void {
    const { situation, offered, requests } = performed;
    if (this.#heldUpBy(situation, offered) || !this.#isMet(performed)) return;
    const { dialect } = offered;
    const [call] = callsOf(requests);
    const on = { dialect, binding: situation.choice && call ? call.on.binding : offered.binding };
    const place = { dialect, on, situation: situation.id };
    const rule = ruleIn(dialect, check.id);
    if (!rule || !concerns(rule, on.binding)) return;
    try {
      const findings = check.judge(this.#seen(performed));
      if (findings !== undefined) this.#report.finding(check, place, findings);
    } catch (error) {
      this.#report.trouble(check, place, error);
    }
  }

  /** Whether the client took up what it was offered, wherever it went with it: what it does not speak is no fault of it. */
  #isMet({ offered, requests }: Performed): boolean {
    const isSpoken = this.#speaks().some((on) => on.dialect === offered.dialect && on.binding === offered.binding);
    return isSpoken || requests.some(({ is, exchange }) => is === "stray" && exchange.http.request.method === "POST");
  }

  #seen(performed: Performed): SituationSeen {
    const { offered } = performed;
    const plain = this.#done.get(keyOf(plainest.id, offered));
    const text = plainest.answer![0]!;
    return {
      ...performed,
      prints: plain?.runs.some(({ output }) => output.includes(text)) ?? false,
      speaks: this.#speaks(),
    };
  }

  /** The plainer situation that the client does not master there: what it does in this one shows nothing. */
  #heldUpBy({ control }: Situation, offered: SpokenInterface): string | undefined {
    const plainer = control === undefined ? undefined : this.#done.get(keyOf(control, offered));
    if (!plainer) return undefined;
    if (plainer.ended === "declined" || !accomplished(this.#seen(plainer)).is) return control;
    return this.#heldUpBy(plainer.situation, offered);
  }

  /** What is left to say of the rules that concern the client: why they were not examined. */
  #conclude(speaks: readonly SpokenInterface[]): void {
    const byId = new Map(clientChecks.map((check) => [check.id, check]));
    for (const on of speaks)
      for (const id of this.#checksOn(on)) {
        if (this.#report.hasTold(id, on.dialect, on)) continue;
        this.#report.finding(byId.get(id)!, { dialect: on.dialect, on }, this.#whyNot(id, on));
      }
  }

  #whyNot(id: string, on: SpokenInterface) {
    const shows = situationChecks.filter((check) => check.id === id).flatMap((check) => check.in);
    const performed = shows.flatMap((situation) => this.#done.get(keyOf(situation, on)) ?? []);
    const declined = performed.find(({ ended }) => ended === "declined");
    const because = (
      reason: "declined" | "interrupted" | "filter" | "prerequisite" | "not-triggered",
      text: string,
      enable?: string,
    ) => ({
      is: "not-examined" as const,
      reason,
      because: text,
      ...(enable !== undefined && { enable }),
    });
    if (declined) return because("declined", `the client declined the situation "${declined.situation.id}"`);
    if (this.#options.signal.aborted) return because("interrupted", "the run was interrupted before");
    const held = performed.map(({ situation }) => this.#heldUpBy(situation, on)).find((each) => each !== undefined);
    if (held !== undefined)
      return because("prerequisite", `it rests on the situation "${held}", which the client does not master`);
    if (shows.length && !performed.length)
      return because("filter", "its situation was left out", `--situation ${shows[0]}`);
    return because("not-triggered", "nothing that the client sent gave occasion to see it");
  }

  #finish(): void {
    const started = [...this.#done.values()].every(({ ended }) => ended === "not-started");
    const ending: RunEnding = this.#options.signal.aborted ? "interrupted" : "done";
    this.#emit({
      event: "run-finished",
      at: new Date().toISOString(),
      ending,
      duration_ms: Math.round(performance.now() - this.#began),
      workingMessages: 0,
      ...(started && ending === "done" && { message: "the command could not be started" }),
    });
  }
}

/** JSON-RPC alone before 0.3. */
const bindingsOf = (dialect: DialectVersion): readonly Binding[] =>
  dialect === "1.0" || dialect === "0.3" ? bindings : ["JSONRPC"];

const fits = (situation: Situation, { dialect, binding }: SpokenInterface): boolean =>
  (situation.bindings?.includes(binding) ?? true) && (situation.dialects?.includes(dialect) ?? true);

const keyOf = (situation: string, { dialect, binding }: SpokenInterface): string =>
  `${situation} ${dialect} ${binding}`;

const nameOf = (on: SpokenInterface) => {
  const { url, dialect, binding } = clientInterface(on);
  return { url, dialect, binding };
};

/** Situations behind those that they rest on: of each rank, all can be made at once. */
function ranks(all: readonly Situation[]): readonly (readonly Situation[])[] {
  const rankOf = ({ control }: Situation): number => {
    const plainer = all.find(({ id }) => id === control);
    return plainer ? rankOf(plainer) + 1 : 0;
  };
  const highest = Math.max(0, ...all.map(rankOf));
  return Array.from({ length: highest + 1 }, (_, rank) => all.filter((each) => rankOf(each) === rank));
}
