import type { PassiveClientCheck } from "../../client/client-check.ts";
import type { SituationCheck } from "../../client/situation-check.ts";
import { passiveClientChecks } from "./passive/index.ts";
import { cardChecks, signatureChecks } from "./situational/cards.ts";
import { choosingChecks } from "./situational/choosing.ts";
import { copingChecks, surfacingChecks } from "./situational/copes.ts";
import { followingChecks } from "./situational/following.ts";
import { loginChecks } from "./situational/logins.ts";

import { webhookChecks } from "./situational/webhooks.ts";

/** Checks of clients in situations made for them. */
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

/** All checks of clients. A rule may be examined in any call and also in a situation. */
export const clientChecks: readonly (PassiveClientCheck | SituationCheck)[] = [
  ...passiveClientChecks,
  ...situationChecks,
];
