import type { DialectVersion } from "@assay/protocol";
import {
  accomplished,
  type ClientCall,
  type ClientReporting,
  callsOf,
  clientChecks,
  concerns,
  isAccepted,
  judgeCall,
  notExamined,
  passiveClientChecks,
  ruleIn,
  type Situation,
  type SituationCheck,
  type SituationSeen,
  type SpokenInterface,
  situationChecks,
  situations,
} from "@assay/suite";
import type { Performed } from "./perform.ts";

/** The first situation, which shows the versions and bindings of a client and whether it prints the answer. */
export const plainest: Situation = situations[0]!;

type NotExamined = ReturnType<typeof notExamined>;

/** Returns why a run left out a situation over an interface. */
type WhyLeftOut = (situation: string) => NotExamined;

const notOffered: WhyLeftOut = (situation) =>
  notExamined("not-triggered", `the situation "${situation}" did not run over this interface`);

/** Judges a client's behaviour, one situation after another. */
export class ClientJudging {
  readonly #report: ClientReporting;
  /** the rules that pass the filter */
  readonly #rules: ReadonlySet<string>;
  readonly #claims: (dialect: DialectVersion) => boolean;
  readonly #done = new Map<string, Performed>();

  /** Calls in versions that the client neither speaks nor claims are not judged. */
  constructor(
    report: ClientReporting,
    rules: ReadonlySet<string>,
    claims: (dialect: DialectVersion) => boolean = () => true,
  ) {
    this.#report = report;
    this.#rules = rules;
    this.#claims = claims;
  }

  isSelected(id: string): boolean {
    return this.#rules.has(id);
  }

  get performed(): readonly Performed[] {
    return [...this.#done.values()];
  }

  /** Stores a performed situation, to judge it and others. */
  keep(performed: Performed): void {
    this.#done.set(keyOf(performed.situation.id, performed.offered), performed);
  }

  take(performed: Performed): void {
    this.keep(performed);
    this.judge(performed, this.#report);
  }

  /** Judges a performed situation, and reports to `report`. */
  judge(performed: Performed, report: ClientReporting): void {
    const { situation, ended } = performed;
    if (ended === "declined" || ended === "not-started") return;
    this.#judgeCalls(performed, report);
    for (const check of situationChecks)
      if (check.in.some((id) => id === situation.id) && this.isSelected(check.id))
        this.#judgeBy(check, performed, report);
  }

  /** Returns the interfaces on which the agent accepted a call of the client when no other was offered. */
  speaks(): readonly SpokenInterface[] {
    return this.#offeredWhere(isAccepted);
  }

  /** Returns the interfaces that the client called, or tried to, when no other was offered. */
  attempts(): readonly SpokenInterface[] {
    const named = this.#offeredWhere(({ operation }) => operation !== undefined);
    return named.length ? named : this.#offeredWhere(() => true);
  }

  #offeredWhere(isMeant: (call: ClientCall) => boolean): readonly SpokenInterface[] {
    return this.performed
      .filter(
        ({ situation, offered, requests }) =>
          situation.id === plainest.id && callsOf(requests).some((call) => isSame(call.on, offered) && isMeant(call)),
      )
      .map(({ offered }) => offered);
  }

  #judgeCalls({ situation, offered, requests, agent, told }: Performed, report: ClientReporting): void {
    const checks = passiveClientChecks.filter(({ id }) => this.isSelected(id));
    for (const [index, call] of requests.entries()) {
      if (call.is !== "call") continue;
      // If the client does not speak the version of a call, the call says nothing about that version. The situation
      // judges it.
      const { dialect } = call.on;
      const isSpoken = this.speaks().some((on) => on.dialect === dialect);
      const isClaimed = dialect === offered.dialect && this.#claims(dialect);
      if (!(isSpoken || isClaimed)) continue;
      const traffic = { agent, before: requests.slice(0, index), whole: true as const, told };
      for (const { check, findings } of judgeCall(call, traffic, checks))
        report.finding(check, { dialect: call.on.dialect, on: call.on, situation: situation.id }, findings);
    }
  }

  #judgeBy(check: SituationCheck, performed: Performed, report: ClientReporting): void {
    const { situation, offered, requests } = performed;
    const { dialect } = offered;
    if (this.#heldUpBy(situation, offered) || !this.#isMet(performed)) return;
    if (!(this.#claims(dialect) || this.speaks().some((on) => on.dialect === dialect))) return;
    const [call] = callsOf(requests);
    const on = { dialect, binding: situation.choice && call ? call.on.binding : offered.binding };
    const place = { dialect, on, situation: situation.id };
    const rule = ruleIn(dialect, check.id);
    if (!rule || !concerns(rule, on.binding)) return;
    try {
      const findings = check.judge(this.#seen(performed));
      if (findings !== undefined) report.finding(check, place, findings);
    } catch (error) {
      report.trouble(check, place, error);
    }
  }

  /** Returns true if the client used the offered interface, or tried to. Not speaking an interface is not a failure. */
  #isMet({ offered, requests }: Performed): boolean {
    return (
      this.speaks().some((on) => isSame(on, offered)) ||
      requests.some(({ is, exchange }) => is === "stray" && exchange.http.request.method === "POST") ||
      callsOf(requests).some(({ on }) => isSame(on, offered))
    );
  }

  /** Returns true if the client printed the answer of the plainest situation, so that its output counts. */
  prints(offered: SpokenInterface): boolean {
    const text = plainest.answer![0]!;
    return this.#done.get(keyOf(plainest.id, offered))?.runs.some(({ output }) => output.includes(text)) ?? false;
  }

  #seen(performed: Performed): SituationSeen {
    const { situation, agent, offered } = performed;
    const first = agent.interfaces[0]?.binding;
    const control = this.performed.find(
      (other) =>
        other.situation.id === situation.control &&
        other.agent.interfaces[0]?.binding === first &&
        other.offered.dialect === offered.dialect,
    );
    return {
      ...performed,
      ...(control && { inControl: control.requests }),
      prints: this.prints(offered),
      speaks: this.speaks(),
    };
  }

  /**
   * Returns the simpler situation that the client fails on this interface, if any. This situation then shows nothing.
   */
  #heldUpBy({ control }: Situation, offered: SpokenInterface): string | undefined {
    const plainer = control === undefined ? undefined : this.#done.get(keyOf(control, offered));
    if (!plainer) return undefined;
    if (plainer.ended === "declined" || !accomplished(this.#seen(plainer)).is) return control;
    return this.#heldUpBy(plainer.situation, offered);
  }

  /** Returns the client rules of a version and binding that have a check. */
  rulesOn({ dialect, binding }: SpokenInterface): readonly string[] {
    return [...new Set(clientChecks.map(({ id }) => id))].filter((id) => {
      const rule = ruleIn(dialect, id);
      return rule && concerns(rule, binding) && this.isSelected(id);
    });
  }

  /** Reports every remaining rule of the client as not examined, with the reason. */
  conclude({
    isInterrupted,
    whyLeftOut = notOffered,
  }: {
    readonly isInterrupted: boolean;
    readonly whyLeftOut?: WhyLeftOut;
  }): void {
    const byId = new Map(clientChecks.map((check) => [check.id, check]));
    for (const on of this.speaks())
      for (const id of this.rulesOn(on)) {
        if (this.#report.hasTold(id, on.dialect, on)) continue;
        const why = isInterrupted
          ? notExamined("interrupted", "the run was interrupted before this check")
          : this.#whyNot(id, on, whyLeftOut);
        this.#report.finding(byId.get(id)!, { dialect: on.dialect, on }, why);
      }
  }

  #whyNot(id: string, on: SpokenInterface, whyLeftOut: WhyLeftOut): NotExamined {
    const shows = situationChecks.filter((check) => check.id === id).flatMap((check) => check.in);
    const made = shows.flatMap((situation) => this.#done.get(keyOf(situation, on)) ?? []);
    const declined = made.find(({ ended }) => ended === "declined");
    if (declined) return notExamined("declined", `the client declined the situation "${declined.situation.id}"`);
    const held = made.map(({ situation }) => this.#heldUpBy(situation, on)).find((each) => each !== undefined);
    if (held !== undefined)
      return notExamined("prerequisite", `it needs the situation "${held}", which the client does not pass`);
    if (shows.length && !made.length) return whyLeftOut(shows[0]!);
    return notExamined("not-triggered", "the client sent nothing that shows it");
  }
}

const isSame = (a: SpokenInterface, b: SpokenInterface): boolean => a.dialect === b.dialect && a.binding === b.binding;

const keyOf = (situation: string, { dialect, binding }: SpokenInterface): string =>
  `${situation} ${dialect} ${binding}`;
