import type { Check } from "../../define/check.ts";
import { forbiddenChecks, foreignChecks } from "./authorization.ts";
import { detailChecks } from "./details.ts";
import { internalChecks, noGenericErrors } from "./internal.ts";

import { mappingChecks, missingIsNotFound } from "./mapping.ts";

import { validationChecks } from "./validation.ts";

/** ERR */
export const errorChecks: readonly Check[] = [
  ...detailChecks,
  ...mappingChecks,
  ...validationChecks,
  missingIsNotFound,
  ...foreignChecks,
  ...forbiddenChecks,
  noGenericErrors,
  ...internalChecks,
];
