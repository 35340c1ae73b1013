import type { Check } from "../../define/check.ts";
import { cachingChecks } from "./caching.ts";
import {
  extendedCardHoldsNoSecrets,
  extendedCardIsComplete,
  extendedCardIsFresh,
  extendedCardIsNotShared,
  hasCardOrSaysNot,
  olderExtendedCardChecks,
  refusesWhatItDoesNotOffer,
  secretSkillsStaySecret,
  strangersGetNoCard,
} from "./extended.ts";
import {
  addressesDoNotConflict,
  httpAddresses,
  interfacesKeepTheirOrder,
  interfacesWork,
  mainPairIsRepeated,
  preferredTransportIsNamed,
  servedBindingsAreListed,
} from "./interfaces.ts";
import {
  cardIsFound,
  cardIsPublic,
  cardOverTls,
  loginIsDeclared,
  neighboursHaveTheirOwn,
  olderCardIsFound,
} from "./location.ts";
import { nothingSecret } from "./nothing-secret.ts";
import { extendedCardIsACapability, flagsAreSpelledRight, olderMembersAgree, versionIsNamed } from "./older-members.ts";
import { extensionsAreDeclared, olderShapeChecks, shapeChecks } from "./shape.ts";
import { signatureEntryChecks } from "./signature-entries.ts";
import { signedCardChecks } from "./signed-card.ts";

/** CARD, CACHE, SIG, XCARD, and the EXT and LEG rules about the card */
export const cardChecks: readonly Check[] = [
  cardIsFound,
  ...shapeChecks,
  httpAddresses,
  interfacesWork,
  interfacesKeepTheirOrder,
  servedBindingsAreListed,
  loginIsDeclared,
  nothingSecret,
  neighboursHaveTheirOwn,
  ...cachingChecks,
  cardOverTls,
  ...signatureEntryChecks,
  ...signedCardChecks,
  refusesWhatItDoesNotOffer,
  hasCardOrSaysNot,
  strangersGetNoCard,
  extendedCardIsComplete,
  secretSkillsStaySecret,
  extendedCardIsNotShared,
  extendedCardHoldsNoSecrets,
  extendedCardIsFresh,
  extensionsAreDeclared,
  extendedCardIsACapability,
  olderMembersAgree,
  olderCardIsFound,
  cardIsPublic,
  ...olderShapeChecks,
  versionIsNamed,
  preferredTransportIsNamed,
  mainPairIsRepeated,
  addressesDoNotConflict,
  flagsAreSpelledRight,
  ...olderExtendedCardChecks,
];
