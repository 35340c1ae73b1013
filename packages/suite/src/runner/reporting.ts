import type { PeerInterface } from "@assay/wire";
import type { CardCheck, Check, FetchedCard, Findings } from "../check.ts";
import type { Obstacle } from "../obstacle.ts";
import { gravest } from "../policy.ts";
import type { RunEvent } from "../report/events.ts";
import { ruleIn } from "../rules/catalogue.ts";
import { interfaceName } from "./diary.ts";
import { judgedBy, obstructedResult, type ResultContext, resultOf, troubleResult } from "./results.ts";

/** What a result is about. */
export interface Place {
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

  started({ check, on }: Place): void {
    this.#emit({
      event: "check-started",
      test: check.id,
      title: check.title,
      ...(on && { interface: interfaceName(on) }),
    });
  }

  finding(place: Place, findings: Findings): void {
    const { on } = place;
    const finding = gravest(
      [findings].flat(),
      judgedBy(this.context, ruleIn(this.context.dialect, place.check.id)!, on),
    );
    this.#emit({ event: "check-finished", result: resultOf(this.context, place, finding) });
  }

  obstacle(place: Place, { kind }: Obstacle): void {
    this.#emit({ event: "check-finished", result: obstructedResult(this.context, place, kind) });
  }

  trouble(place: Place, error: unknown): void {
    const because = error instanceof Error ? `our own error: ${error.message}` : `our own error: ${String(error)}`;
    this.#emit({ event: "check-finished", result: troubleResult(this.context, place, because) });
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
