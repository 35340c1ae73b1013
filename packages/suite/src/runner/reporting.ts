import type { Masker, PeerInterface } from "@assay/wire";
import type { CardCheck, Check, FetchedCard, Findings } from "../define/check.ts";
import { type Breach, breach, type Finding, isBreach } from "../define/finding.ts";
import type { HeldUp, Obstacle } from "../define/obstacle.ts";
import type { RunEvent } from "../report/events.ts";
import { type ConformanceResult, type InterfaceName, interfaceKey } from "../report/result.ts";
import { isExamined } from "../report/verdict.ts";
import type { BreachCode } from "../rules/breach-codes.ts";
import { causesOf, type OwnedCause, ownerRank, type Shown } from "../rules/causes.ts";
import { gravest } from "../rules/policy.ts";
import { wordsOf } from "../words/words-of.ts";
import { interfaceName } from "./interface-name.ts";
import type { TestOptions } from "./options.ts";
import {
  asCrash,
  asDisguised,
  blameOf,
  blockedResult,
  judgedBy,
  obstructedResult,
  ownerNotExamined,
  type ResultContext,
  type ResultSubject,
  resultOf,
  ruleFor,
  shownIn,
  troubleResult,
  withoutPrerequisite,
} from "./results.ts";
import type { PreparedVersion } from "./run-context.ts";

/** Finds the check of a rule that concerns the agent on an interface, so that it can be blamed there. */
export type CheckFinder = (rule: string, on: PeerInterface | undefined) => Check | undefined;

/** Turns findings into events. */
export class Reporting {
  readonly context: ResultContext;
  readonly #emit: (event: RunEvent) => void;
  /** the result of each rule on each interface */
  readonly #told = new Map<string, ConformanceResult>();
  /** reported at the end, unless the rule is blamed before */
  readonly #deferred: { readonly subject: ResultSubject; readonly finding: Finding }[] = [];
  readonly #blamed: { readonly obstacle: HeldUp; readonly on: PeerInterface | undefined }[] = [];
  readonly #heldUp: { readonly subject: ResultSubject; readonly obstacle: HeldUp }[] = [];
  /** breaches whose cause another rule may own, settled at the end when that rule's result is known */
  readonly #shared: { readonly subject: ResultSubject; readonly finding: Breach }[] = [];
  /** the evidence in the breaches of each rule on each interface */
  readonly #shown = new Map<string, Shown[]>();

  readonly #concludes: boolean;

  /**
   * - `concludes`: the run ends with `conclude`, which settles causes that several rules share
   * - `told`: the results of the run that this one resumes
   */
  constructor(
    context: ResultContext,
    emit: (event: RunEvent) => void,
    { concludes = false, told = [] }: Readonly<{ concludes?: boolean; told?: readonly ConformanceResult[] }> = {},
  ) {
    this.context = context;
    this.#emit = emit;
    this.#concludes = concludes;
    for (const result of told) this.#told.set(placeOf(result.test, result.interface), result);
  }

  started({ check, on }: ResultSubject): void {
    this.#emit({
      event: "check-started",
      test: check.id,
      title: wordsOf(check.id, { dialect: this.context.dialect, binding: on?.binding }).title,
      ...(on && { interface: interfaceName(on) }),
    });
  }

  finding(subject: ResultSubject, findings: Findings): void {
    const all = [findings].flat().map((finding) => asDisguised(asCrash(this.context, finding)));
    for (const finding of all) {
      if (!isBreach(finding)) continue;
      this.#note(subject, finding);
      if (this.isShared(subject, finding)) this.#shared.push({ subject, finding });
    }
    const own = all.filter((finding) => !isBreach(finding) || !this.isShared(subject, finding));
    // Besides a shared cause only another breach counts: the rule does not hold while the cause exists.
    if (own.length === all.length || own.some((finding) => isBreach(finding))) this.#report(subject, own);
  }

  #note({ check, on }: ResultSubject, finding: Breach): void {
    const place = placeOf(check.id, on);
    this.#shown.set(place, [...(this.#shown.get(place) ?? []), shownIn(finding)]);
  }

  /** Returns true if another rule may own the cause of a breach. */
  isShared({ check, on }: Pick<ResultSubject, "check" | "on">, finding: Breach): boolean {
    return this.#concludes && this.#causesOf({ check, on }, finding).length > 0;
  }

  #causesOf({ check, on }: Pick<ResultSubject, "check" | "on">, finding: Breach): readonly OwnedCause[] {
    const { dialect, ruleSet: set } = this.context;
    return causesOf(check.id, shownIn(finding), { dialect, set, binding: on?.binding });
  }

  #report(subject: ResultSubject, findings: readonly Finding[]): void {
    const judged = judgedBy(this.context, ruleFor(this.context, subject.check), subject.on);
    this.#tell(resultOf(this.context, subject, gravest(findings, judged)));
  }

  /**
   * Reports at the end why a check did not run, or what a passive one saw, unless the rule has a more severe result.
   */
  defer(subject: ResultSubject, finding: Finding): void {
    this.#deferred.push({ subject, finding });
  }

  obstacle(subject: ResultSubject, { kind }: Obstacle): void {
    if (kind.is !== "held-up") this.#tell(obstructedResult(this.context, subject, kind));
    else if (kind.rule === subject.check.id) this.finding(subject, blameOf(kind));
    else this.#heldUp.push({ subject, obstacle: kind });
  }

  /** Records what the agent did to prevent an observation. */
  blame(obstacle: HeldUp, on: PeerInterface | undefined): void {
    this.#blamed.push({ obstacle, on });
  }

  /** Returns true if a rule has failed, with this code if given. */
  hasFailed(rule: string, on: PeerInterface | undefined, code?: BreachCode): boolean {
    const said = this.#saidOf(rule, on);
    return said?.verdict === "fail" && (code === undefined || said.code === code);
  }

  trouble(subject: ResultSubject, error: unknown): void {
    const because = error instanceof Error ? `internal error: ${error.message}` : `internal error: ${String(error)}`;
    this.#tell(troubleResult(this.context, subject, because));
  }

  /**
   * Called after the last call. Reports first what blocks others, even for passive, filtered or otherwise passing
   * rules. Then it is known which failure blocks which rule.
   */
  conclude(checkOf: CheckFinder): void {
    const held = this.#heldUp.map(({ obstacle, subject }) => ({ obstacle, on: placeOfFault(obstacle, subject.on) }));
    for (const { obstacle, on } of [...this.#blamed, ...held]) {
      const check = checkOf(obstacle.rule, on);
      if (check && this.#saidOf(check.id, on)?.verdict !== "fail") this.finding({ check, on }, blameOf(obstacle));
    }
    const inOrder = this.#shared.toSorted((a, b) => ownerRank(a.subject.check.id) - ownerRank(b.subject.check.id));
    for (const { subject, finding } of inOrder) this.#settle(subject, finding, checkOf);
    for (const { subject, obstacle } of this.#heldUp) {
      const cause = this.#saidOf(obstacle.rule, placeOfFault(obstacle, subject.on));
      this.#hold(subject, obstacle, cause);
    }
    for (const { subject, finding } of this.#deferred) {
      if (!this.#told.has(placeOf(subject.check.id, subject.on))) this.finding(subject, finding);
    }
  }

  /** Reports blocked by a failure, or not examined if the cause is not a failure. */
  #hold(subject: ResultSubject, obstacle: HeldUp, cause: ConformanceResult | undefined): void {
    const rule = cause?.verdict === "blocked" ? (cause.rootCause ?? obstacle.rule) : obstacle.rule;
    const isFailure = cause?.verdict === "blocked" || (cause?.verdict === "fail" && !cause.disputed);
    if (isFailure) this.#tell(blockedResult(this.context, subject, { ...obstacle, rule }));
    else this.#report(subject, [withoutPrerequisite(obstacle)]);
  }

  /** Gives a breach to the rule that owns its cause, or to the rule that saw it. */
  #settle(subject: ResultSubject, finding: Breach, checkOf: CheckFinder): void {
    const on = placeOfFault(finding, subject.on);
    const causes = this.#causesOf({ check: subject.check, on }, finding);
    const cause = causes.find((each) => this.#isOwned(each, checkOf(each.owner, on), on, finding));
    if (!cause) {
      this.#report(subject, [finding]);
      return;
    }
    const { owner, says } = cause;
    const said = this.#saidOf(owner, on);
    if (said && said.verdict !== "not-examined")
      this.#hold(subject, { is: "held-up", rule: owner, because: says, at: finding.at }, said);
    else this.#report(subject, [ownerNotExamined(owner, says)]);
  }

  /** Returns true if a rule accepts a cause: it saw the cause, or judges the evidence the same way. */
  #isOwned(
    { owner, relation, says, isSame }: OwnedCause,
    check: Check | undefined,
    on: PeerInterface | undefined,
    finding: Breach,
  ): boolean {
    if (!check) return false;
    if ((this.#shown.get(placeOf(owner, on)) ?? []).some(isSame)) return true;
    if (relation === "repeats") return false;
    const said = this.#saidOf(owner, on);
    if (!said || !isExamined(said.verdict)) return true;
    const handed = handedTo(check, finding, says);
    if (handed.length === 0) return false;
    this.#note({ check, on }, finding);
    this.#report({ check, on }, handed);
    return true;
  }

  /** Returns the result on this interface, or about the card or the whole agent. */
  #saidOf(rule: string, on: PeerInterface | undefined): ConformanceResult | undefined {
    return this.#told.get(placeOf(rule, on)) ?? this.#told.get(placeOf(rule, undefined));
  }

  /**
   * If there are two results about the same rule and interface, the more severe one wins. The later event replaces the
   * earlier one.
   */
  #tell(result: ConformanceResult): void {
    const place = placeOf(result.test, result.interface);
    const known = this.#told.get(place);
    if (known && gravity(known) >= gravity(result)) return;
    this.#told.set(place, result);
    this.#emit({ event: "check-finished", result });
  }

  /** Judges the card. The card is the evidence of every finding. */
  judge(check: CardCheck, card: FetchedCard): void {
    try {
      const findings = [check.judge(card)].flat();
      this.finding(
        { check },
        findings.map((each) => ("at" in each && each.at.length === 0 ? { ...each, at: [card.exchange] } : each)),
      );
    } catch (error) {
      this.trouble({ check }, error);
    }
  }
}

/** Returns how the owner of a cause judges the evidence of another rule. */
function handedTo(check: Check, { code, saw, at }: Breach, says: string): readonly Finding[] {
  if (check.kind !== "passive") return [breach(code, says, { ...(saw !== undefined && { saw }), at })];
  const calls = at.flatMap((each) => ("exchange" in each ? each : []));
  return calls.flatMap((call) => check.judge(call, new Set()) ?? []).filter((each) => isBreach(each));
}

/** Returns the interface of the fault, because a check may use other interfaces than its own. */
function placeOfFault({ at }: Pick<HeldUp, "at">, on: PeerInterface | undefined): PeerInterface | undefined {
  const seen = at.map((evidence) => ("on" in evidence ? evidence.on : undefined)).find((place) => place !== undefined);
  // Another tenant is still the same interface.
  const isSame = seen && on && interfaceKey(interfaceName(seen)) === interfaceKey(interfaceName(on));
  return isSame ? on : (seen ?? on);
}

const placeOf = (rule: string, on: InterfaceName | undefined): string => `${rule} ${interfaceKey(on)}`;

const gravity = ({ verdict, warning }: ConformanceResult): number =>
  verdict === "fail" ? 3 : warning !== undefined ? 2 : isExamined(verdict) ? 1 : 0;

/** Creates the report on an agent in one protocol version. */
export function reportingFor(
  { dialect, declared, ruleSet }: PreparedVersion,
  { strict = false, baseline = [] }: TestOptions,
  masker: Masker,
  emit: (event: RunEvent) => void,
  { crashIn, ...how }: ConstructorParameters<typeof Reporting>[2] & Pick<ResultContext, "crashIn"> = {},
): Reporting {
  const today = new Date().toISOString().slice(0, 10);
  const context = { masker, strict, baseline, today, dialect, declared, ruleSet, ...(crashIn && { crashIn }) };
  return new Reporting(context, emit, how);
}
