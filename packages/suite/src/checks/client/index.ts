import type { PassiveClientCheck } from "../../client/client-check.ts";
import type { SituationCheck } from "../../client/situation-check.ts";
import { passiveClientChecks } from "./passive/index.ts";
import { cardChecks, signatureChecks } from "./situational/cards.ts";
import { choosingChecks } from "./situational/choosing.ts";
import { copingChecks, surfacingChecks } from "./situational/copes.ts";
import { followingChecks } from "./situational/following.ts";
import { loginChecks } from "./situational/logins.ts";

import { webhookChecks } from "./situational/webhooks.ts";

/** What a client shows in a situation that was made for it. */
export const situationChecks: readonly SituationCheck[] = [
  ...copingChecks,
  ...surfacingChecks,
  ...choosingChecks,
  ...followingChecks,
  ...cardChecks,
  ...signatureChecks,
  ...loginChecks,
  ...webhookChecks,
];

/** A rule may be seen in any call, and in a situation of its own besides. */
export const clientChecks: readonly (PassiveClientCheck | SituationCheck)[] = [
  ...passiveClientChecks,
  ...situationChecks,
];
