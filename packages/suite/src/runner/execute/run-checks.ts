import type { ActiveCheck } from "../../define/check.ts";
import type { Evidence, Finding } from "../../define/finding.ts";
import type { Observation } from "../../define/observation.ts";
import { Obstacle } from "../../define/obstacle.ts";
import type { InterfaceName } from "../../report/result.ts";
import { ruleOf } from "../../rules/catalogue.ts";
import { interfaceName } from "../interface-name.ts";
import { interrupted } from "../interrupted.ts";
import type { PlannedCheck } from "../plan/plan.ts";
import type { Reporting } from "../reporting.ts";
import type { ResultSubject } from "../results.ts";
import type { RunContext } from "../run-context.ts";
import { isOverRestart, restartedMeanwhile } from "../target/failed-retries.ts";
import type { InterfaceUnderTest } from "../target/interface-under-test.ts";
import { Lane } from "../target/lane.ts";
import { meet, type Observations } from "./observations.ts";

export interface CheckRun {
  /** the target of the check; absent for checks of the card */
  readonly target: InterfaceUnderTest | undefined;
  readonly report: Reporting;
  readonly signal: AbortSignal;
  readonly context: RunContext;
  readonly observations: Observations;
  /** receives the waits of a check that waited itself */
  readonly onWaited: (lane: Lane, named: { readonly what: string; readonly interface: InterfaceName }) => void;
}

/** Runs one planned check and reports its findings. For passive checks, it only makes the calls that they judge. */
export async function runCheck(planned: PlannedCheck, { target, ...run }: CheckRun): Promise<void> {
  const { report } = run;
  const { check, version, on, instead, finished, shownBy = [] } = planned;
  if (finished) return;
  if (check.kind === "passive") {
    // The checks that need an observation report its obstacles.
    await Promise.allSettled(shownBy.map((one) => target?.observe(one)));
  } else if (instead) report.defer({ check, on }, instead);
  else if (check.kind === "card") report.judge(check, version.card!);
  else await runActive(check, target!, shownBy, run);
}

async function runActive(
  check: ActiveCheck,
  target: InterfaceUnderTest,
  shownBy: readonly Observation<unknown>[],
  run: Omit<CheckRun, "target">,
): Promise<void> {
  const { report, signal } = run;
  const needed = Object.values(check.uses);
  // Requests outside the interface concern the whole agent.
  const isAside = needed.length > 0 && needed.every(({ aside }) => aside);
  const subject: ResultSubject = { check, on: isAside ? undefined : target.on };
  try {
    // An agent is not judged at an address where it does not answer.
    if (!isAside) await meet(target, check);
    const startedAt = performance.now();
    report.started(subject);
    const findings = await judgedSteadily(check, target, shownBy, run);
    if (signal.aborted) throw interrupted(signal);
    report.finding({ ...subject, duration: performance.now() - startedAt }, findings);
  } catch (error) {
    // An interrupted check proves nothing.
    if (signal.aborted) report.obstacle(subject, interrupted(signal));
    else if (error instanceof Obstacle) report.obstacle(subject, error);
    else report.trouble(subject, error);
  }
}

/**
 * Returns the findings of a check. A restarted agent loses its tasks, so a fault after a restart is examined again
 * with new tasks. If the agent restarts once more, the rule is not examined. A crash has its own proof.
 */
async function judgedSteadily(
  check: ActiveCheck,
  target: InterfaceUnderTest,
  shownBy: readonly Observation<unknown>[],
  { context, observations, signal, onWaited }: Omit<CheckRun, "target">,
): Promise<readonly Finding[]> {
  const looksAt = [...Object.values(check.uses), ...Object.values(check.also ?? {})];
  for (let isAgain = false; ; isAgain = true) {
    const needs = await seenBy(check, target);
    const seen = { ...(await seenBesides(check, target, shownBy)), ...needs };
    if (signal.aborted) throw interrupted(signal);
    const from = context.epoch;
    const lane = new Lane();
    const judged = await settled(async () => [await check.judge(seen, target.timedBy(lane, check.id))].flat());
    if (!lane.isEmpty)
      onWaited(lane, { what: ruleOf(check.id)?.title ?? check.id, interface: interfaceName(target.on) });
    const span = observations.spanOf(looksAt, target);
    const epochs = [...(span ? [span.from, span.to] : []), ...(lane.hasAsked ? [from, context.epoch] : [])];
    const accusing = accusationsIn(judged).filter((at) => !context.crashes.isShownBy(at));
    const isLost = "error" in judged && isOverRestart(judged.error);
    if (new Set(epochs).size < 2 || (accusing.length === 0 && !isLost)) return unwrapped(judged);
    // A rude check that breaks connections twice has proven it.
    if (isAgain && check.rude) return unwrapped(judged);
    if (isAgain) {
      const crash =
        "value" in judged ? judged.value.find((each) => "at" in each && context.crashes.isShownBy(each.at)) : undefined;
      return [crash ?? restartedMeanwhile];
    }
    observations.forgetBefore(context.epoch, looksAt, target);
  }
}

type Settled<T> = { readonly value: T } | { readonly error: unknown };

const settled = <T>(make: () => Promise<T>): Promise<Settled<T>> =>
  make().then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

function unwrapped<T>(made: Settled<T>): T {
  if ("error" in made) throw made.error;
  return made.value;
}

/** Returns the evidence of each fault. */
function accusationsIn(judged: Settled<readonly Finding[]>): (readonly Evidence[])[] {
  if ("value" in judged) return judged.value.flatMap((each) => (each.is === "breach" ? [each.at] : []));
  const { error } = judged;
  return error instanceof Obstacle && error.kind.is === "held-up" ? [error.kind.at] : [];
}

/** Makes the observations that a check needs. One obstacle is enough to stop it. */
async function seenBy({ uses }: ActiveCheck, target: InterfaceUnderTest): Promise<Record<string, unknown>> {
  const seen = Object.entries(uses).map(async ([name, one]) => [name, await target.observe(one)] as const);
  return Object.fromEntries(await Promise.all(seen));
}

/** Makes the optional observations of a check, if granted and possible. */
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
