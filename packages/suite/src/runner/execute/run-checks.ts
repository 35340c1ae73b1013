import type { ActiveCheck } from "../../check.ts";
import type { Observation } from "../../observation.ts";
import { Obstacle } from "../../obstacle.ts";
import type { InterfaceName } from "../../report/result.ts";
import { interfaceName } from "../interface-name.ts";
import { interrupted } from "../interrupted.ts";
import type { PlannedCheck } from "../plan/plan.ts";
import type { Reporting } from "../reporting.ts";
import type { ResultSubject } from "../results.ts";
import type { InterfaceUnderTest } from "../target/interface-under-test.ts";
import { Lane } from "../target/lane.ts";
import { meet } from "./observations.ts";

export interface CheckRun {
  /** the target of the check; absent for what is about the card */
  readonly target: InterfaceUnderTest | undefined;
  readonly report: Reporting;
  readonly signal: AbortSignal;
  /** takes in what the time of a check went on that waited for something itself */
  readonly onWaited: (lane: Lane, named: { readonly what: string; readonly interface: InterfaceName }) => void;
}

/** Runs one planned check and reports what it found. Passive checks only get the calls made that they are to judge. */
export async function runCheck(planned: PlannedCheck, { target, ...run }: CheckRun): Promise<void> {
  const { report } = run;
  const { check, version, on, instead, finished, shownBy = [] } = planned;
  if (finished) return;
  if (check.kind === "passive") {
    // What stands in the way of an observation is reported by the checks that need it.
    await Promise.allSettled(shownBy.map((one) => target?.observe(one)));
  } else if (instead) report.defer({ check, on }, instead);
  else if (check.kind === "card") report.judge(check, version.card!);
  else await runActive(check, target!, shownBy, run);
}

async function runActive(
  check: ActiveCheck,
  target: InterfaceUnderTest,
  shownBy: readonly Observation<unknown>[],
  { report, signal, onWaited }: Omit<CheckRun, "target">,
): Promise<void> {
  const needed = Object.values(check.uses);
  // What is asked beside the interface is about the agent as a whole.
  const isAside = needed.length > 0 && needed.every(({ aside }) => aside);
  const subject: ResultSubject = { check, on: isAside ? undefined : target.on };
  try {
    // An agent is not judged by an address where it does not answer.
    if (!isAside) await meet(target, check);
    const needs = await seenBy(check, target);
    const seen = { ...(await seenBesides(check, target, shownBy)), ...needs };
    if (signal.aborted) throw interrupted(signal);
    const startedAt = performance.now();
    report.started(subject);
    const lane = new Lane();
    const finding = await check.judge(seen, target.timedBy(lane));
    if (!lane.isEmpty) onWaited(lane, { what: check.title, interface: interfaceName(target.on) });
    if (signal.aborted) throw interrupted(signal);
    report.finding({ ...subject, duration: performance.now() - startedAt }, finding);
  } catch (error) {
    // What was cut off in the middle looks like anything, and proves nothing.
    if (signal.aborted) report.obstacle(subject, interrupted(signal));
    else if (error instanceof Obstacle) report.obstacle(subject, error);
    else report.trouble(subject, error);
  }
}

/** What a check needs; one obstacle is enough to hold it up. */
async function seenBy({ uses }: ActiveCheck, target: InterfaceUnderTest): Promise<Record<string, unknown>> {
  const seen = Object.entries(uses).map(async ([name, one]) => [name, await target.observe(one)] as const);
  return Object.fromEntries(await Promise.all(seen));
}

/** What a check looks at besides, as far as it was granted and can be made. */
async function seenBesides(
  { also = {} }: ActiveCheck,
  target: InterfaceUnderTest,
  shownBy: readonly Observation<unknown>[],
): Promise<Record<string, unknown>> {
  const granted = Object.entries(also).filter(([, one]) => shownBy.includes(one));
  const seen = granted.map(async ([name, one]) => [name, await target.observe(one)] as const);
  const settled = await Promise.allSettled(seen);
  return Object.fromEntries(settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])));
}
