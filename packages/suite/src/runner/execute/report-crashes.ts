import { broken } from "../../define/finding.ts";
import { type Observation, withNeeds } from "../../define/observation.ts";
import { interfaceKey } from "../../report/result.ts";
import { interfaceName } from "../interface-name.ts";
import type { Plan, PlannedCheck, VersionToPlan } from "../plan/plan.ts";
import type { Reporting } from "../reporting.ts";
import type { RunContext } from "../run-context.ts";

/** The reports of each version. */
export type Reports = ReadonlyMap<VersionToPlan, Reporting>;

/** Reports a crash that no check has reported as a failure of the first rule whose check sent the request. */
export function reportCrashes({ checks }: Plan, { crashes }: RunContext, reports: Reports): void {
  for (const { call, how, check: rule, observation } of crashes.all) {
    const isHere = ({ on, instead }: PlannedCheck): boolean =>
      !instead && on !== undefined && interfaceKey(interfaceName(on)) === interfaceKey(interfaceName(call.on));
    const looksAt = ({ check, shownBy = [] }: PlannedCheck): readonly Observation<unknown>[] =>
      check.kind === "active" ? Object.values(check.uses) : shownBy;
    const senders = checks
      .filter(isHere)
      .filter((entry) =>
        rule === undefined
          ? looksAt(entry).some((one) => [...withNeeds(one)].some(({ name }) => name === observation))
          : entry.check.id === rule,
      )
      // Passive checks only judge requests of others.
      .toSorted((one, other) => Number(one.check.kind === "passive") - Number(other.check.kind === "passive"));
    const [first] = senders;
    // A check that reports another finding about an answered request does not report the crash.
    const code = how === "exit-after-response" ? "crashed" : undefined;
    const isTold = senders.some(({ check, on, version }) => reports.get(version)!.hasFailed(check.id, on, code));
    if (!first || isTold) continue;
    const message = `${call.operation ?? "a request"}${call.fair ? "" : ", malformed on purpose"}`;
    reports.get(first.version)!.finding({ check: first.check, on: first.on }, broken(message, { at: call }));
  }
}
