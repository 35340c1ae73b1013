import type { Check } from "../../define/check.ts";
import { formsOfThisVersion } from "./forms-of-1.0.ts";
import { hybridChecks } from "./hybrid/index.ts";
import { keepsFormatsApart } from "./keeps-formats-apart.ts";
import { newestMinor } from "./newest-minor.ts";
import { noPatchNumber } from "./no-patch-number.ts";
import {
  emptyMeansOldest,
  everyOperationLooks,
  minorMatters,
  missingMeansOldest,
  patchDoesNotMatter,
  refusesOtherVersions,
} from "./other-versions.ts";
import { nameInAnyCase, readsParameter } from "./spelling.ts";

/** VER */
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
