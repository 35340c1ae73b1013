import type { Check } from "../../define/check.ts";
import { httpAddresses } from "./addresses.ts";
import { cardHasDate, cardHasTag, cardMayBeKept, knownCardIsNotSentAgain } from "./caching.ts";
import { flagsAreSpelledRight } from "./capabilities-v0.3.ts";
import {
  extendedCardHoldsNoSecrets,
  extendedCardIsComplete,
  extendedCardIsFresh,
  extendedCardIsNotShared,
  hasCardOrSaysNot,
  refusesWhatItDoesNotOffer,
  secretSkillsStaySecret,
  strangersGetNoCard,
} from "./extended.ts";
import { olderExtendedCardChecks } from "./extended-v0.3.ts";
import { interfacesKeepTheirOrder } from "./interface-order.ts";
import { addressesDoNotConflict, mainPairIsRepeated, preferredTransportIsNamed } from "./interfaces-v0.3.ts";
import { interfacesWork } from "./interfaces-work.ts";
import { cardIsFound } from "./location.ts";
import { olderCardIsFound } from "./location-v0.2.ts";
import { loginIsDeclared } from "./login-is-declared.ts";
import { nothingSecret } from "./nothing-secret.ts";
import { extendedCardIsACapability, olderMembersAgree } from "./older-members.ts";
import { neighboursHaveTheirOwn } from "./other-cards-on-host.ts";
import { cardOverTls } from "./over-tls.ts";
import { versionIsNamed } from "./protocol-version-v0.3.ts";
import { cardIsPublic } from "./public-v0.3.ts";
import { extensionsAreDeclared, shapeChecks } from "./shape.ts";
import { olderShapeChecks } from "./shape-v0.3.ts";
import { signatureEntryChecks } from "./signature-entries.ts";
import { signedCardChecks } from "./signed-card.ts";
import { servedBindingsAreListed } from "./undeclared-bindings.ts";

/** CARD, CACHE, SIG, XCARD; of EXT and LEG what is about the card */
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
  cardMayBeKept,
  cardHasTag,
  cardHasDate,
  knownCardIsNotSentAgain,
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
