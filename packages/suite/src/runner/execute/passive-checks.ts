import type { PeerInterface } from "@assay/wire";
import { asObject, asText } from "../../answers/loose-json.ts";
import { tasksIn } from "../../answers/reading.ts";
import { isPage } from "../../answers/served.ts";
import type { Call } from "../../define/call.ts";
import type { PassiveCheck } from "../../define/check.ts";
import { type Breach, type Finding, isBreach, notApplicable, notExamined } from "../../define/finding.ts";
import { noTaskInRun } from "../../observations/no-task.ts";
import type { Depth } from "../../report/events.ts";
import { gravest, judgementOf } from "../../rules/policy.ts";
import { meansOldest } from "../../shapes/of-call.ts";
import type { PlannedCheck } from "../plan/plan.ts";
import { type JudgingContext, judgedBy, ruleFor, shownIn } from "../results.ts";
import { leanOf } from "../target/lean-call.ts";

/** Returns the passive checks of a plan for an interface. */
export function passiveChecksOn(
  on: PeerInterface,
  planned: readonly PlannedCheck[],
  how: JudgingContext & { readonly depth: Depth },
  isShared: (check: PassiveCheck, finding: Breach) => boolean = () => false,
): PassiveChecks {
  const checks = planned.flatMap(({ check, on: place, instead }) =>
    check.kind === "passive" && place === on && !instead ? [check] : [],
  );
  return new PassiveChecks(on, checks, how, isShared);
}

/** The passive checks on one interface. Each remembers the most severe finding. */
export class PassiveChecks {
  readonly #on: PeerInterface;
  readonly #checks: readonly PassiveCheck[];
  readonly #context: JudgingContext;
  readonly #worst = new Map<PassiveCheck, Finding>();
  readonly #broken = new Map<PassiveCheck, unknown>();
  readonly #failed = new Set<PassiveCheck>();
  readonly #excuses = new Map<PassiveCheck, string>();
  readonly #sent = new Set<string>();
  #hasStreamedTask = false;
  readonly #isShared: (check: PassiveCheck, finding: Breach) => boolean;
  /** the causes that each check has passed on */
  readonly #shared = new Set<string>();

  /** the flag that would send more for them to judge, if there is one */
  readonly #deeper: string | undefined;

  constructor(
    on: PeerInterface,
    checks: readonly PassiveCheck[],
    { depth, ...context }: JudgingContext & { readonly depth: Depth },
    isShared: (check: PassiveCheck, finding: Breach) => boolean = () => false,
  ) {
    this.#on = on;
    this.#checks = checks;
    this.#context = context;
    this.#isShared = isShared;
    this.#deeper = depth === "full" ? undefined : "--depth full";
  }

  /** Returns true if a call went to this interface. */
  isOn({ on }: Call): boolean {
    return on.url === this.#on.url && on.binding === this.#on.binding && on.dialect === this.#on.dialect;
  }

  /** Judges one call and calls `onFailure` once for each check that finds its rule broken. */
  judge(call: Call, onFailure: (check: PassiveCheck, finding: Finding) => void): void {
    this.#learn(call);
    // The card may list no such path, so the page comes from the web server, not from this agent. TEN-004 judges paths.
    if (meansOldest(call) || (call.on.tenant !== this.#on.tenant && isPage(call))) return;
    for (const check of this.#checks) {
      const excuse = check.excusedBy?.(call);
      if (excuse !== undefined) this.#excuses.set(check, excuse);
      if (this.#failed.has(check)) continue;
      try {
        const found = check.judge(call, this.#sent);
        const findings = found === undefined ? [] : [found].flat();
        for (const finding of findings) {
          this.#remember(check, finding, onFailure);
          if (this.#failed.has(check)) break;
        }
      } catch (error) {
        // An internal error, reported at the end and never held against the agent.
        this.#broken.set(check, error);
      }
    }
  }

  /** A deliberately wrong request may come back in any form. */
  #learn(call: Call): void {
    const { params, fair, reply } = call;
    const id = asText(asObject(params?.["message"])?.["messageId"]);
    if (fair && id) this.#sent.add(id);
    if (reply.is === "stream") this.#hasStreamedTask ||= tasksIn(call).length > 0;
  }

  #remember(check: PassiveCheck, finding: Finding, onFailure: (check: PassiveCheck, finding: Finding) => void): void {
    // A cause that another rule may own is passed on once. The check continues, because it may find its own breach.
    if (isBreach(finding) && this.#isShared(check, finding)) {
      const { code, operation } = shownIn(finding);
      const key = `${check.id} ${code} ${operation}`;
      if (!this.#shared.has(key)) onFailure(check, remembered(finding));
      this.#shared.add(key);
      return;
    }
    const rule = ruleFor(this.#context, check);
    const known = this.#worst.get(check);
    const judged = judgedBy(this.#context, rule, this.#on);
    const worst = known ? gravest([known, finding], judged) : finding;
    this.#worst.set(check, remembered(worst));
    // Findings that may still be excused are reported at the end.
    if (judgementOf(worst, judged).verdict !== "fail" || check.excusedBy) return;
    this.#failed.add(check);
    onFailure(check, worst);
  }

  /** Returns what is left to report after the last call. */
  *conclude(): Generator<{ check: PassiveCheck; finding: Finding } | { check: PassiveCheck; trouble: unknown }> {
    for (const check of this.#checks) {
      if (this.#failed.has(check)) continue;
      const finding = this.#worst.get(check);
      const excuse = this.#excuses.get(check);
      if (this.#broken.has(check)) yield { check, trouble: this.#broken.get(check) };
      else if (isBreach(finding) && excuse !== undefined)
        yield { check, finding: notExamined("not-triggered", excuse) };
      else if (finding) yield { check, finding };
      else if (check.otherwise !== undefined && this.#deeper === undefined)
        yield { check, finding: this.#unseen(check.otherwise) };
      else
        yield {
          check,
          finding: notExamined("not-triggered", "nothing in this run triggered it", this.#deeper),
        };
    }
  }

  #unseen(otherwise: NonNullable<PassiveCheck["otherwise"]>): Finding {
    return typeof otherwise === "string" ? notApplicable(otherwise) : noTaskInRun(this.#hasStreamedTask);
  }
}

/** Keeps a long response only in part. */
const remembered = (finding: Finding): Finding =>
  "at" in finding ? { ...finding, at: finding.at.map(leanOf) } : finding;
