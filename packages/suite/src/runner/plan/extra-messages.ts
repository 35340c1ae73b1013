import type { PeerInterface } from "@assay/wire";
import type { Observation } from "../../define/observation.ts";
import type { Allowance } from "./budget.ts";
import { observationKey } from "./grant.ts";

/** Adds the messages of observations that no check needs (skills, faults) to the allowance, within --budget. */
export function withExtraMessages(
  allowance: Allowance,
  extra: readonly Observation<unknown>[],
  on: PeerInterface | undefined,
  budget = Number.POSITIVE_INFINITY,
): Allowance {
  if (!on) return allowance;
  let messages = allowance.messages;
  const kept = new Map(allowance.kept);
  for (const one of extra) {
    if (messages + one.messages > budget) continue;
    messages += one.messages;
    kept.set(observationKey(one, on), one.messages);
  }
  return { ...allowance, messages, kept };
}
