import type { Check } from "../../../check.ts";
import { flagsAreSpelledRight } from "./capabilities.ts";
import { olderExtendedCardChecks } from "./extended.ts";
import { addressesDoNotConflict, mainPairIsRepeated, preferredTransportIsNamed } from "./interfaces.ts";
import { olderCardIsFound } from "./location.ts";
import { versionIsNamed } from "./protocol-version.ts";
import { cardIsPublic } from "./public.ts";
import { olderShapeChecks } from "./shape.ts";

/** V03-CARD, V02-CARD, V03-XCARD, V02-XCARD: what cards before 1.0 have otherwise */
export const olderCardChecks: readonly Check[] = [
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
