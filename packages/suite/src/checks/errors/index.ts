import type { Check } from "../../define/check.ts";
import { noGenericErrors } from "./breakdowns.ts";
import { detailChecks } from "./details.ts";
import { forbiddenChecks } from "./forbidden.ts";
import { foreignChecks } from "./foreign.ts";
import { internalChecks } from "./internal.ts";
import { mappingChecks } from "./mapping.ts";
import { missingIsNotFound } from "./not-found.ts";
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
