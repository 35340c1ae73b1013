import type { Masker, PeerInterface } from "@assay/wire";
import type { CardCheck, Check, FetchedCard, Findings } from "../check.ts";
import type { Obstacle } from "../obstacle.ts";
import { gravest } from "../policy.ts";
import type { RunEvent } from "../report/events.ts";
import { ruleIn } from "../rules/catalogue.ts";
import { interfaceName } from "./interface-name.ts";
import type { TestOptions } from "./options.ts";
import { judgedBy, obstructedResult, type ResultContext, resultOf, troubleResult } from "./results.ts";
import type { PreparedVersion } from "./run-context.ts";

/** What a result is about. */
export interface ResultSubject {
  readonly check: Check;
  readonly on?: PeerInterface | undefined;
  readonly duration?: number;
}

/** Turns what was found into events. */
export class Reporting {
  readonly context: ResultContext;
  readonly #emit: (event: RunEvent) => void;

  constructor(context: ResultContext, emit: (event: RunEvent) => void) {
    this.context = context;
    this.#emit = emit;
  }

  started({ check, on }: ResultSubject): void {
    this.#emit({
      event: "check-started",
      test: check.id,
      title: check.title,
      ...(on && { interface: interfaceName(on) }),
    });
  }

  finding(subject: ResultSubject, findings: Findings): void {
    const { check, on } = subject;
    const judged = judgedBy(this.context, ruleIn(this.context.dialect, check.id)!, on);
    const finding = gravest([findings].flat(), judged);
    this.#emit({ event: "check-finished", result: resultOf(this.context, subject, finding) });
  }

  obstacle(subject: ResultSubject, { kind }: Obstacle): void {
    this.#emit({ event: "check-finished", result: obstructedResult(this.context, subject, kind) });
  }

  trouble(subject: ResultSubject, error: unknown): void {
    const because = error instanceof Error ? `our own error: ${error.message}` : `our own error: ${String(error)}`;
    this.#emit({ event: "check-finished", result: troubleResult(this.context, subject, because) });
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

/** Reports on an agent in one version of the protocol, by the rules of that version. */
export function reportingFor(
  { dialect, declared, ruleSet }: PreparedVersion,
  { strict = false, baseline = [] }: TestOptions,
  masker: Masker,
  emit: (event: RunEvent) => void,
): Reporting {
  const today = new Date().toISOString().slice(0, 10);
  return new Reporting({ masker, strict, baseline, today, dialect, declared, ruleSet }, emit);
}
