import type { Masker, PeerInterface } from "@assay/wire";
import type { CardCheck, Check, FetchedCard, Findings } from "../check.ts";
import type { Finding } from "../finding.ts";
import type { HeldUp, Obstacle } from "../obstacle.ts";
import { gravest } from "../policy.ts";
import type { RunEvent } from "../report/events.ts";
import { type ConformanceResult, type InterfaceName, interfaceKey } from "../report/result.ts";
import { isExamined } from "../report/verdict.ts";
import { wordsOf } from "../words/words-of.ts";
import { interfaceName } from "./interface-name.ts";
import type { TestOptions } from "./options.ts";
import {
  asCrash,
  blameOf,
  blockedResult,
  judgedBy,
  obstructedResult,
  type ResultContext,
  type ResultSubject,
  resultOf,
  ruleFor,
  troubleResult,
  withoutPrerequisite,
} from "./results.ts";
import type { PreparedVersion } from "./run-context.ts";

/** Finds the check of a rule that concerns the agent on an interface, so that it can be blamed there. */
export type CheckFinder = (rule: string, on: PeerInterface | undefined) => Check | undefined;

/** Turns what was found into events. */
export class Reporting {
  readonly context: ResultContext;
  readonly #emit: (event: RunEvent) => void;
  /** what was said of each rule on each interface */
  readonly #told = new Map<string, ConformanceResult>();
  /** said at the end, unless the rule is blamed meanwhile */
  readonly #deferred: { readonly subject: ResultSubject; readonly finding: Finding }[] = [];
  readonly #blamed: { readonly obstacle: HeldUp; readonly on: PeerInterface | undefined }[] = [];
  readonly #heldUp: { readonly subject: ResultSubject; readonly obstacle: HeldUp }[] = [];

  /** `told`: what was said before, by a run that this one goes on with */
  constructor(context: ResultContext, emit: (event: RunEvent) => void, told: readonly ConformanceResult[] = []) {
    this.context = context;
    this.#emit = emit;
    for (const result of told) this.#told.set(placeOf(result.test, result.interface), result);
  }

  started({ check, on }: ResultSubject): void {
    this.#emit({
      event: "check-started",
      test: check.id,
      title: wordsOf(check, { dialect: this.context.dialect, binding: on?.binding }).title,
      ...(on && { interface: interfaceName(on) }),
    });
  }

  finding(subject: ResultSubject, findings: Findings): void {
    const { check, on } = subject;
    const judged = judgedBy(this.context, ruleFor(this.context, check), on);
    const all = [findings].flat().map((finding) => asCrash(this.context, finding));
    this.#tell(resultOf(this.context, subject, gravest(all, judged)));
  }

  /** Why a check was not run, or what a passive one saw in the end: it stands if nothing graver is said of the rule. */
  defer(subject: ResultSubject, finding: Finding): void {
    this.#deferred.push({ subject, finding });
  }

  obstacle(subject: ResultSubject, { kind }: Obstacle): void {
    if (kind.is !== "held-up") this.#tell(obstructedResult(this.context, subject, kind));
    else if (kind.rule === subject.check.id) this.finding(subject, blameOf(kind));
    else this.#heldUp.push({ subject, obstacle: kind });
  }

  /** What the agent did to prevent an observation, whether or not a check cannot do without it. */
  blame(obstacle: HeldUp, on: PeerInterface | undefined): void {
    this.#blamed.push({ obstacle, on });
  }

  hasFailed(rule: string, on: PeerInterface | undefined): boolean {
    return this.#saidOf(rule, on)?.verdict === "fail";
  }

  trouble(subject: ResultSubject, error: unknown): void {
    const because = error instanceof Error ? `our own error: ${error.message}` : `our own error: ${String(error)}`;
    this.#tell(troubleResult(this.context, subject, because));
  }

  /**
   * When the last call is over. What holds others up is reported first, also of a rule that only reads calls, that was
   * not asked for or that held elsewhere; then it is known who is blocked by a failure.
   */
  conclude(checkOf: CheckFinder): void {
    const held = this.#heldUp.map(({ obstacle, subject }) => ({ obstacle, on: placeOfFault(obstacle, subject.on) }));
    for (const { obstacle, on } of [...this.#blamed, ...held]) {
      const check = checkOf(obstacle.rule, on);
      if (check && this.#saidOf(check.id, on)?.verdict !== "fail") this.finding({ check, on }, blameOf(obstacle));
    }
    for (const { subject, obstacle } of this.#heldUp) {
      const cause = this.#saidOf(obstacle.rule, placeOfFault(obstacle, subject.on));
      if (cause?.verdict === "fail" && !cause.disputed) this.#tell(blockedResult(this.context, subject, obstacle));
      else this.finding(subject, withoutPrerequisite(obstacle));
    }
    for (const { subject, finding } of this.#deferred) {
      if (!this.#told.has(placeOf(subject.check.id, subject.on))) this.finding(subject, finding);
    }
  }

  /** On this interface, else about the card or the agent as a whole. */
  #saidOf(rule: string, on: PeerInterface | undefined): ConformanceResult | undefined {
    return this.#told.get(placeOf(rule, on)) ?? this.#told.get(placeOf(rule, undefined));
  }

  /** Of two results about the same rule and interface the graver stands: the later event takes the earlier one's place. */
  #tell(result: ConformanceResult): void {
    const place = placeOf(result.test, result.interface);
    const known = this.#told.get(place);
    if (known && gravity(known) >= gravity(result)) return;
    this.#told.set(place, result);
    this.#emit({ event: "check-finished", result });
  }

  /** What a check of the card says of it; the card is the evidence of whatever is said. */
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

/** Where the agent did it: a check may look at other interfaces than its own. */
function placeOfFault({ at }: HeldUp, on: PeerInterface | undefined): PeerInterface | undefined {
  const seen = at.map((evidence) => ("on" in evidence ? evidence.on : undefined)).find((place) => place !== undefined);
  // Under another tenant it is the same interface.
  const isSame = seen && on && interfaceKey(interfaceName(seen)) === interfaceKey(interfaceName(on));
  return isSame ? on : (seen ?? on);
}

const placeOf = (rule: string, on: InterfaceName | undefined): string => `${rule} ${interfaceKey(on)}`;

const gravity = ({ verdict, warning }: ConformanceResult): number =>
  verdict === "fail" ? 3 : warning !== undefined ? 2 : isExamined(verdict) ? 1 : 0;

/** Reports on an agent in one version of the protocol, by the rules of that version. */
export function reportingFor(
  { dialect, declared, ruleSet }: PreparedVersion,
  { strict = false, baseline = [] }: TestOptions,
  masker: Masker,
  emit: (event: RunEvent) => void,
  told: readonly ConformanceResult[] = [],
  crashIn?: ResultContext["crashIn"],
): Reporting {
  const today = new Date().toISOString().slice(0, 10);
  const context = { masker, strict, baseline, today, dialect, declared, ruleSet, ...(crashIn && { crashIn }) };
  return new Reporting(context, emit, told);
}
