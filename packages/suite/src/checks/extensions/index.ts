import type { Check } from "../../define/check.ts";
import {
  addsNothingToTheCore,
  inactiveUnlessAsked,
  listsActiveOnes,
  listsNoOthers,
  noOtherVersion,
} from "./activation.ts";
import {
  demandsRequired,
  demandsRightVersion,
  ignoresUnknownParameters,
  methodsAskForALogin,
  olderDemandsRequired,
  readsAnyList,
  servesWithoutUnknown,
} from "./negotiation.ts";

/** EXT, except rules about the card; EXT-012 is a rule about shape */
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
