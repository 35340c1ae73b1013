import type { Check } from "../../define/check.ts";
import { formsOfThisVersion, keepsFormatsApart, noPatchNumber } from "./forms.ts";
import { hybridChecks } from "./hybrid.ts";
import {
  emptyMeansOldest,
  everyOperationLooks,
  minorMatters,
  missingMeansOldest,
  nameInAnyCase,
  newestMinor,
  patchDoesNotMatter,
  readsParameter,
  refusesOtherVersions,
} from "./other-versions.ts";

export const versionChecks: readonly Check[] = [
  readsParameter,
  refusesOtherVersions,
  formsOfThisVersion,
  emptyMeansOldest,
  missingMeansOldest,
  noPatchNumber,
  patchDoesNotMatter,
  minorMatters,
  everyOperationLooks,
  nameInAnyCase,
  keepsFormatsApart,
  ...newestMinor,
  ...hybridChecks,
];
