import type { RunEvent } from "./events.ts";
import { RunState } from "./fold.ts";
import { placeName, whereOf } from "./group.ts";
import { type ConformanceResult, type InterfaceName, ruleKey } from "./result.ts";

/** A finding so far. The same finding on several interfaces counts once. */
export interface LiveFinding {
  readonly mark: "fail" | "warning";
  readonly test: string;
  readonly message: string;
  readonly where: Set<string>;
  /** the first result that shows it */
  readonly example: ConformanceResult;
}

/** The visible state of a running test, collected from its events. */
export class Progress {
  readonly run = new RunState();
  readonly findings = new Map<string, LiveFinding>();
  readonly #rules = new Set<string>();
  #now: string | undefined;
  #estimate: { readonly perMessageMs: number; readonly totalMs: number } | undefined;

  /** rules with a result so far */
  get rules(): number {
    return this.#rules.size;
  }

  /** the current activity: "a stream of a task over HTTP+JSON" */
  get now(): string | undefined {
    return this.#now;
  }

  get estimate(): { readonly perMessageMs: number; readonly totalMs: number } | undefined {
    return this.#estimate;
  }

  /** from 0 to 1 */
  get done(): number {
    const { planned, results } = this.run;
    return planned?.checks ? Math.min(1, results.length / planned.checks) : 0;
  }

  take(event: RunEvent): void {
    this.run.take(event);
    if (event.event === "observing") this.#now = placed(event.what, event);
    if (event.event === "situation-started") this.#now = placed(event.situation, event);
    if (event.event === "check-started") this.#now = placed(event.title, event);
    if (event.event === "estimated") this.#estimate = event;
    if (event.event !== "check-finished") return;
    this.#rules.add(ruleKey(event.result));
    const finding = findingIn(event.result);
    if (!finding) return;
    const key = `${finding.mark} ${finding.test} ${finding.message}`;
    const known = this.findings.get(key);
    if (known) for (const place of finding.where) known.where.add(place);
    else this.findings.set(key, finding);
  }
}

/** Returns the finding that the reader should see at once. Expected failures are not shown. */
function findingIn(result: ConformanceResult): LiveFinding | undefined {
  const { test, verdict, title, message = title, warning, expected } = result;
  const where = new Set([whereOf(result)]);
  if (verdict === "fail" && expected === undefined) return { mark: "fail", test, message, where, example: result };
  return warning === undefined ? undefined : { mark: "warning", test, message: warning, where, example: result };
}

const placed = (what: string, { interface: on }: { readonly interface?: InterfaceName }): string =>
  on ? `${what} over ${placeName(on)}` : what;
