import type { Check } from "../../define/check.ts";
import {
  addsNothingToTheCore,
  inactiveUnlessAsked,
  listsActiveOnes,
  listsNoOthers,
  noOtherVersion,
} from "./activation.ts";
import { methodsAskForALogin } from "./methods.ts";
import {
  demandsRequired,
  demandsRightVersion,
  ignoresUnknownParameters,
  readsAnyList,
  servesWithoutUnknown,
} from "./negotiation.ts";
import { olderDemandsRequired } from "./required-v0.3.ts";

/** EXT, except what is about the card; EXT-012 is a rule about shape */
export const extensionChecks: readonly Check[] = [
  inactiveUnlessAsked,
  servesWithoutUnknown,
  noOtherVersion,
  demandsRequired,
  demandsRightVersion,
  listsActiveOnes,
  listsNoOthers,
  addsNothingToTheCore,
  methodsAskForALogin,
  readsAnyList,
  ignoresUnknownParameters,
  olderDemandsRequired,
];
