import {
  accomplished,
  type ClientReporting,
  callsOf,
  clientChecks,
  concerns,
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

/** The situation that tells which versions and bindings a client speaks, and whether it prints what it is answered with. */
export const plainest: Situation = situations[0];

type NotExamined = ReturnType<typeof notExamined>;

/** Judges what a client did, one situation after another. */
export class ClientJudging {
  readonly #report: ClientReporting;
  /** those that the filter leaves */
  readonly #rules: ReadonlySet<string>;
  readonly #done = new Map<string, Performed>();

  constructor(report: ClientReporting, rules: ReadonlySet<string>) {
    this.#report = report;
    this.#rules = rules;
  }

  isSelected(id: string): boolean {
    return this.#rules.has(id);
  }

  get performed(): readonly Performed[] {
    return [...this.#done.values()];
  }

  /** Keeps what a client did, for the judgement of other situations and its own. */
  keep(performed: Performed): void {
    this.#done.set(keyOf(performed.situation.id, performed.offered), performed);
  }

  take(performed: Performed): void {
    this.keep(performed);
    this.judge(performed, this.#report);
  }

  /** The same, told elsewhere. */
  judge(performed: Performed, report: ClientReporting): void {
    const { situation, ended } = performed;
    if (ended === "declined" || ended === "not-started") return;
    this.#judgeCalls(performed, report);
    for (const check of situationChecks)
      if (check.in.some((id) => id === situation.id) && this.isSelected(check.id))
        this.#judgeBy(check, performed, report);
  }

  /** What the client used when it was offered nothing else. */
  speaks(): readonly SpokenInterface[] {
    return this.performed
      .filter(({ situation, offered, requests }) => {
        const isUsed = callsOf(requests).some(({ on }) => isSame(on, offered));
        return situation.id === plainest.id && isUsed;
      })
      .map(({ offered }) => offered);
  }

  #judgeCalls({ situation, offered, requests, agent, told }: Performed, report: ClientReporting): void {
    const checks = passiveClientChecks.filter(({ id }) => this.isSelected(id));
    for (const [index, call] of requests.entries()) {
      if (call.is !== "call") continue;
      // A call in a version that the client does not speak is for the situation to judge: it shows nothing of that version.
      const isSpoken = [offered, ...this.speaks()].some(({ dialect }) => dialect === call.on.dialect);
      if (!isSpoken) continue;
      const traffic = { agent, before: requests.slice(0, index), whole: true as const, told };
      for (const { check, findings } of judgeCall(call, traffic, checks))
        report.finding(check, { dialect: call.on.dialect, on: call.on, situation: situation.id }, findings);
    }
  }

  #judgeBy(check: SituationCheck, performed: Performed, report: ClientReporting): void {
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
      if (findings !== undefined) report.finding(check, place, findings);
    } catch (error) {
      report.trouble(check, place, error);
    }
  }

  /** Whether the client took up what it was offered, wherever it went with it: what it does not speak is no fault of it. */
  #isMet({ offered, requests }: Performed): boolean {
    return (
      this.speaks().some((on) => isSame(on, offered)) ||
      requests.some(({ is, exchange }) => is === "stray" && exchange.http.request.method === "POST") ||
      callsOf(requests).some(({ on }) => isSame(on, offered))
    );
  }

  #seen(performed: Performed): SituationSeen {
    const plain = this.#done.get(keyOf(plainest.id, performed.offered));
    const text = plainest.answer![0]!;
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
      prints: plain?.runs.some(({ output }) => output.includes(text)) ?? false,
      speaks: this.speaks(),
    };
  }

  /** The plainer situation that the client does not master there: what it does in this one shows nothing. */
  #heldUpBy({ control }: Situation, offered: SpokenInterface): string | undefined {
    const plainer = control === undefined ? undefined : this.#done.get(keyOf(control, offered));
    if (!plainer) return undefined;
    if (plainer.ended === "declined" || !accomplished(this.#seen(plainer)).is) return control;
    return this.#heldUpBy(plainer.situation, offered);
  }

  /** The rules about clients that a version has over a binding, and that a check examines. */
  rulesOn({ dialect, binding }: SpokenInterface): readonly string[] {
    return [...new Set(clientChecks.map(({ id }) => id))].filter((id) => {
      const rule = ruleIn(dialect, id);
      return rule && concerns(rule, binding) && this.isSelected(id);
    });
  }

  /** Says of the rules that concern the client, and of which nothing was said, why they were not examined. */
  conclude({ isInterrupted }: { readonly isInterrupted: boolean }): void {
    const byId = new Map(clientChecks.map((check) => [check.id, check]));
    for (const on of this.speaks())
      for (const id of this.rulesOn(on)) {
        if (this.#report.hasTold(id, on.dialect, on)) continue;
        const why = isInterrupted ? notExamined("interrupted", "the run was interrupted before") : this.#whyNot(id, on);
        this.#report.finding(byId.get(id)!, { dialect: on.dialect, on }, why);
      }
  }

  #whyNot(id: string, on: SpokenInterface): NotExamined {
    const shows = situationChecks.filter((check) => check.id === id).flatMap((check) => check.in);
    const made = shows.flatMap((situation) => this.#done.get(keyOf(situation, on)) ?? []);
    const declined = made.find(({ ended }) => ended === "declined");
    if (declined) return notExamined("declined", `the client declined the situation "${declined.situation.id}"`);
    const held = made.map(({ situation }) => this.#heldUpBy(situation, on)).find((each) => each !== undefined);
    if (held !== undefined)
      return notExamined("prerequisite", `it rests on the situation "${held}", which the client does not master`);
    if (shows.length && !made.length)
      return notExamined("filter", "its situation was left out", `--situation ${shows[0]}`);
    return notExamined("not-triggered", "nothing that the client sent gave occasion to see it");
  }
}

const isSame = (a: SpokenInterface, b: SpokenInterface): boolean => a.dialect === b.dialect && a.binding === b.binding;

const keyOf = (situation: string, { dialect, binding }: SpokenInterface): string =>
  `${situation} ${dialect} ${binding}`;
