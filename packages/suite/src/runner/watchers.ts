import type { PeerInterface } from "@assay/wire";
import type { Call } from "../call.ts";
import type { PassiveCheck } from "../check.ts";
import type { Finding } from "../finding.ts";
import { notApplicable, notExamined } from "../finding.ts";
import { gravest, judgementOf } from "../policy.ts";
import type { Depth } from "../report/events.ts";
import { ruleIn } from "../rules/catalogue.ts";
import { type JudgingContext, judgedBy } from "./results.ts";

/** The checks that read any traffic, on one interface: each remembers the gravest thing it saw. */
export class Watchers {
  readonly #on: PeerInterface;
  readonly #checks: readonly PassiveCheck[];
  readonly #context: JudgingContext;
  readonly #worst = new Map<PassiveCheck, Finding>();
  readonly #broken = new Map<PassiveCheck, unknown>();
  readonly #said = new Set<PassiveCheck>();

  /** the flag that would give more occasions, where there is one */
  readonly #deeper: string | undefined;

  constructor(
    on: PeerInterface,
    checks: readonly PassiveCheck[],
    { depth, ...context }: JudgingContext & { readonly depth: Depth },
  ) {
    this.#on = on;
    this.#checks = checks;
    this.#context = context;
    this.#deeper = depth === "full" ? undefined : "--depth full";
  }

  /** Whether a conversation is one of this interface. */
  isOn({ on }: Call): boolean {
    return on.url === this.#on.url && on.binding === this.#on.binding && on.dialect === this.#on.dialect;
  }

  /** Judges one conversation; calls `onFailure` for each check that finds its rule broken, once. */
  see(call: Call, onFailure: (check: PassiveCheck, finding: Finding) => void): void {
    for (const check of this.#checks) {
      if (this.#said.has(check)) continue;
      try {
        const found = check.judge(call);
        const findings = found === undefined ? [] : [found].flat();
        for (const finding of findings) {
          this.#remember(check, finding, onFailure);
          if (this.#said.has(check)) break;
        }
      } catch (error) {
        // Ours: said at the end, and never held against the agent.
        this.#broken.set(check, error);
      }
    }
  }

  #remember(check: PassiveCheck, finding: Finding, onFailure: (check: PassiveCheck, finding: Finding) => void): void {
    const rule = ruleIn(this.#on.dialect, check.id)!;
    const known = this.#worst.get(check);
    const judged = judgedBy(this.#context, rule, this.#on);
    const worst = known ? gravest([known, finding], judged) : finding;
    this.#worst.set(check, worst);
    if (judgementOf(worst, judged).verdict !== "fail") return;
    this.#said.add(check);
    onFailure(check, worst);
  }

  /** What is left to say when the traffic is over. */
  *conclude(): Generator<{ check: PassiveCheck; finding: Finding } | { check: PassiveCheck; trouble: unknown }> {
    for (const check of this.#checks) {
      if (this.#said.has(check)) continue;
      const finding = this.#worst.get(check);
      if (this.#broken.has(check)) yield { check, trouble: this.#broken.get(check) };
      else if (finding) yield { check, finding };
      else if (check.otherwise !== undefined && this.#deeper === undefined)
        yield { check, finding: notApplicable(check.otherwise) };
      else
        yield {
          check,
          finding: notExamined("no-occasion", "nothing in this run gave occasion to see it", this.#deeper),
        };
    }
  }
}
