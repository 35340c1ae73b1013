import type { PeerInterface } from "@assay/wire";
import type { Declaration } from "../define/check.ts";
import { type Finding, notExamined } from "../define/finding.ts";
import { type AnswerPlace, type ConformanceResult, interfaceKey } from "../report/result.ts";
import { type Judged, type Judgement, judgementOf } from "../rules/policy.ts";
import { interfaceName } from "../runner/interface-name.ts";
import type { Reporting } from "../runner/reporting.ts";
import { judgedBy, placeShown, ruleFor } from "../runner/results.ts";

/** A rule that one call broke. */
export interface TrafficBreach {
  readonly party: NonNullable<ConformanceResult["party"]> | "agent";
  readonly rule: string;
  readonly severity: "fail" | "warning";
  readonly message: string;
  /** the position in the response; absent for the request, or the whole */
  readonly place?: AnswerPlace;
}

/** The worst severity reported for each party, rule and interface. A changed card does not undo it. */
export type ToldOfTraffic = Map<string, number>;

/** The results of one party on one interface: the most severe finding of each rule, and all findings of each call. */
export class PartyChecks {
  readonly #party: TrafficBreach["party"];
  readonly #on: PeerInterface;
  readonly #report: Reporting;
  readonly #told: ToldOfTraffic;
  readonly #standings = new Map<Declaration, { readonly key: string; readonly judged: Judged }>();
  /** the checks that apply to this party here */
  readonly #checks: readonly Declaration[];

  constructor(
    party: TrafficBreach["party"],
    on: PeerInterface,
    { report, checks, told }: { report: Reporting; checks: readonly Declaration[]; told: ToldOfTraffic },
  ) {
    this.#party = party;
    this.#on = on;
    this.#report = report;
    this.#checks = checks;
    this.#told = told;
  }

  /** Returns the facts that stay the same from call to call. */
  #standingOf(check: Declaration): { readonly key: string; readonly judged: Judged } {
    const known = this.#standings.get(check);
    if (known) return known;
    const key = `${this.#party} ${check.id} ${interfaceKey(interfaceName(this.#on))}`;
    const standing = { key, judged: judgedBy(this.#report.context, ruleFor(this.#report.context, check), this.#on) };
    this.#standings.set(check, standing);
    return standing;
  }

  /** Remembers the findings of a call about a rule, and returns the breaches. */
  take(check: Declaration, findings: readonly Finding[]): TrafficBreach[] {
    const { key, judged } = this.#standingOf(check);
    return findings.flatMap((finding) => {
      const judgement = judgementOf(finding, judged);
      const gravity = gravityOf(judgement);
      // Writing a finding takes longer than judging it, and most calls show nothing new.
      if (gravity > (this.#told.get(key) ?? -1)) {
        this.#told.set(key, gravity);
        this.#report.finding({ check, on: this.#on }, finding);
      }
      const message = judgement.verdict === "fail" ? judgement.message : judgement.warning;
      if (message === undefined) return [];
      const severity = judgement.verdict === "fail" ? "fail" : "warning";
      const place =
        this.#party === "agent" && finding.is === "breach" ? placeShown(this.#report.context, finding) : undefined;
      return [{ party: this.#party, rule: check.id, severity, message, ...(place && { place }) }];
    });
  }

  /** Reports the rules that no call triggered. */
  conclude(): void {
    for (const check of this.#checks)
      if (!this.#told.has(this.#standingOf(check).key))
        this.#report.finding({ check, on: this.#on }, notExamined("not-triggered", "no call triggered it"));
  }
}

function gravityOf({ verdict, warning, info }: Judgement): number {
  if (verdict === "fail") return 4;
  if (verdict !== "pass") return 0;
  return warning !== undefined ? 3 : info !== undefined ? 2 : 1;
}
