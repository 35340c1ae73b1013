import type { Observation } from "../define/observation.ts";
import type { Requirement } from "../generated/requires.ts";
import type { Advice } from "./advice.ts";
import { duplicateMessages } from "./duplicate-messages.ts";
import { vanishedClients } from "./vanished-clients.ts";
import { failingWebhooks, slowWebhook } from "./webhook-trouble.ts";

/** A situation of `assay test --faults`. */
export interface FaultSituation {
  /** as for a rule: the card or the operator may exclude it */
  readonly requires: readonly Requirement[];
  readonly observation: Observation<readonly Advice[]>;
}

/** All situations, in the order in which Assay tries them. */
export const faultSituations: readonly FaultSituation[] = [
  { requires: [], observation: duplicateMessages },
  { requires: ["pushNotifications", "publicWebhook"], observation: failingWebhooks },
  { requires: ["pushNotifications", "publicWebhook"], observation: slowWebhook },
  { requires: ["streaming"], observation: vanishedClients },
];
