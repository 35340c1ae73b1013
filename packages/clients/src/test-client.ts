import { type Binding, bindings, type DialectVersion, dialects } from "@assay/protocol";
import {
  situations as allSituations,
  ClientReporting,
  catalogues,
  clientChecks,
  defaultRuleSet,
  eventsOf,
  notExamined,
  passiveClientChecks,
  type Situation,
  type SpokenInterface,
  selectClientRules,
  situationChecks,
} from "@assay/suite";
import type { RunEvent } from "@assay/suite/report";
import { createMasker, Recording } from "@assay/wire";
import { ClientJudging, plainest } from "./judging.ts";
import type { ClientTestOptions } from "./options.ts";
import { defaultTimeoutMs, type Performed, perform } from "./perform.ts";
import { ClientRunEvents } from "./run-events.ts";
import { stages } from "./stages/index.ts";
import { StdinClients } from "./stdin-clients.ts";

/** Tests a client and emits run events as they happen. */
export const testClient = (options: ClientTestOptions): AsyncGenerator<RunEvent, void> =>
  eventsOf(options.signal, async (emit, signal) => {
    const { stdin, command, env, folder } = options;
    const clients = stdin ? new StdinClients(command, env, folder) : undefined;
    try {
      await new ClientTest({ ...options, signal, ...(clients && { drive: clients.drive }) }, emit).execute();
    } finally {
      await clients?.close();
    }
  });

/** Maximum bytes of one exchange that are kept as evidence. */
const mostBytes = 512 * 1024;

const all: readonly Situation[] = allSituations;

class ClientTest {
  readonly #options: ClientTestOptions & { readonly signal: AbortSignal };
  readonly #events: ClientRunEvents;
  readonly #judging: ClientJudging;
  readonly #ids = new Recording({ keep: false });

  constructor(options: ClientTestOptions & { readonly signal: AbortSignal }, push: (event: RunEvent) => void) {
    this.#options = options;
    this.#events = new ClientRunEvents(options, push);
    const { strict = false, baseline = [], ruleSet = defaultRuleSet } = options;
    const repeat = (situation: string | undefined): string | undefined =>
      situation && `assay client --situation ${situation} -- ${this.#events.command}`;
    const claims = (dialect: DialectVersion): boolean => this.#claimed().includes(dialect);
    const report = new ClientReporting(
      { masker: createMasker([]), strict, baseline, ruleSet, repeat, claims },
      (event) => this.#events.emit(event),
    );
    this.#judging = new ClientJudging(report, new Set(selectClientRules(options, options.ruleSet)), claims);
  }

  async execute(): Promise<void> {
    this.#events.started(this.#options);
    await this.#inTurns(this.#offered().map((on) => async () => this.#judging.keep(await this.#perform(plainest, on))));
    // The claimed versions are known only after every version was offered, and the results depend on them.
    for (const performed of this.#judging.performed) this.#judging.take(performed);
    const speaks = this.#speaks();
    this.#plan(speaks);
    for (const rank of ranks(this.#chosen()))
      await this.#inTurns(
        rank.flatMap((situation) =>
          speaks
            .filter((on) => fits(situation, on))
            .slice(0, situation.choice ? 1 : undefined)
            .map((on) => async () => this.#judging.take(await this.#perform(situation, on))),
        ),
      );
    const isInterrupted = this.#options.signal.aborted;
    this.#judging.conclude({ isInterrupted, whyLeftOut: (id) => this.#whyLeftOut(id) });
    this.#events.finished(isInterrupted ? "interrupted" : "done");
  }

  /** Returns every requested version over every requested binding that it has. */
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

  /** Returns the interfaces that the client speaks, in the order of the offer. */
  #speaks(): readonly SpokenInterface[] {
    return this.#inOrder(this.#judging.speaks());
  }

  #inOrder(some: readonly SpokenInterface[]): readonly SpokenInterface[] {
    return this.#offered().filter((on) =>
      some.some(({ dialect, binding }) => dialect === on.dialect && binding === on.binding),
    );
  }

  /**
   * Returns the requested versions, or the newest version that the client speaks, because it never claimed the others.
   * For a client whose every call is rejected, that is the newest version it tried.
   */
  #claimed(): readonly DialectVersion[] {
    const [newest] = [...this.#speaks(), ...this.#inOrder(this.#judging.attempts())];
    return this.#options.dialects ?? (newest ? [newest.dialect] : dialects);
  }

  /** Returns false if the user requested a single binding: then the client is not offered others. */
  get #mayChoose(): boolean {
    return (this.#options.bindings?.length ?? bindings.length) > 1;
  }

  #chosen(): readonly Situation[] {
    const { situations, faults, profiled, ruleSet } = this.#options;
    const wanted = all.filter(({ id }) => id !== plainest.id);
    if (!situations?.length)
      return wanted.filter(
        (situation) =>
          (this.#mayChoose || !isOfSeveralBindings(situation)) &&
          (faults || !situation.faulty) &&
          (situation.draft === undefined || situation.draft === ruleSet) &&
          (profiled || !situation.profiled) &&
          this.#isWanted(situation),
      );
    const needed = new Set<string>();
    const need = (id: string | undefined): void => {
      if (id === undefined || needed.has(id)) return;
      needed.add(id);
      need(wanted.find((each) => each.id === id)?.control);
    };
    for (const id of situations) need(id);
    return wanted.filter(({ id }) => needed.has(id));
  }

  /** Returns why a situation did not run over an interface, and the option that lets it run. */
  #whyLeftOut(id: string): ReturnType<typeof notExamined> {
    const because = `the situation "${id}" did not run over this interface`;
    if (this.#chosen().some((situation) => situation.id === id)) return notExamined("not-triggered", because);
    if (this.#options.situations?.length) return notExamined("filter", because, "a run without --situation");
    return notExamined("not-triggered", because, this.#mayChoose ? `--situation ${id}` : "a run without --binding");
  }

  /** Returns true if the rule filter keeps a rule that this situation shows, or one that depends on it. */
  #isWanted({ id }: Situation): boolean {
    if (!this.#options.only?.length) return true;
    // Passive checks judge every call of the client.
    const shows =
      passiveClientChecks.some((check) => this.#judging.isSelected(check.id)) ||
      situationChecks.some((check) => check.in.some((each) => each === id) && this.#judging.isSelected(check.id));
    return shows || all.some((each) => each.control === id && this.#isWanted(each));
  }

  #plan(speaks: readonly SpokenInterface[]): void {
    const planned = speaks.flatMap((on) => this.#judging.rulesOn(on).map((id) => ({ id, on })));
    const versions = new Set(speaks.map(({ dialect }) => dialect));
    const rules = [...versions].flatMap((dialect) => catalogues[dialect].filter(({ actor }) => actor === "client"));
    const checked = new Set(clientChecks.map(({ id }) => id));
    const missing = rules.filter(({ id, testability }) => testability !== "unobservable" && !checked.has(id));
    this.#events.emit({
      event: "planned",
      checks: planned.length,
      rules: new Set(planned.map(({ id, on }) => `${id} ${on.dialect}`)).size,
      workingMessages: 0,
      withoutCheck: new Set(missing.map(({ id }) => id)).size,
    });
  }

  async #inTurns(tasks: readonly (() => Promise<void>)[]): Promise<void> {
    const waiting = [...tasks];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) if (!this.#options.signal.aborted) await next();
    };
    await Promise.all(Array.from({ length: this.#options.concurrency ?? 2 }, work));
  }

  async #perform(situation: Situation, offered: SpokenInterface): Promise<Performed> {
    const { timeout = defaultTimeoutMs, signal } = this.#options;
    const once = (timeoutMs: number): Promise<Performed> =>
      perform(situation, stages[situation.id as keyof typeof stages], offered, {
        client: { ...this.#options, timeout: timeoutMs },
        prints: this.#judging.prints(offered),
        recording: new Recording({ keep: false, bytesPerExchange: mostBytes, issueId: () => this.#ids.issueId() }),
        signal,
        emit: (event) => this.#events.emit(event),
        write: (exchange, request) => this.#events.exchange(exchange, request, situation.id),
      });
    const performed = await once(timeout);
    // The machine may be busy: a command that times out gets a second run with twice the time.
    const isHanging = performed.ended === "time-over" && !signal.aborted;
    return isHanging ? once(2 * timeout) : performed;
  }
}

/** Versions before 0.3 have only JSON-RPC. */
const bindingsOf = (dialect: DialectVersion): readonly Binding[] =>
  dialect === "1.0" || dialect === "0.3" ? bindings : ["JSONRPC"];

const isOfSeveralBindings = ({ choice, severalBindings }: Situation): boolean => Boolean(choice || severalBindings);

const fits = (situation: Situation, { dialect, binding }: SpokenInterface): boolean =>
  (situation.bindings?.includes(binding) ?? true) && (situation.dialects?.includes(dialect) ?? true);

/**
 * Groups situations so that each one comes after the situation it depends on. The situations of a group can run at the
 * same time.
 */
function ranks(chosen: readonly Situation[]): readonly (readonly Situation[])[] {
  const rankOf = ({ control }: Situation): number => {
    const plainer = chosen.find(({ id }) => id === control);
    return plainer ? rankOf(plainer) + 1 : 0;
  };
  const highest = Math.max(0, ...chosen.map(rankOf));
  return Array.from({ length: highest + 1 }, (_, rank) => chosen.filter((each) => rankOf(each) === rank));
}
