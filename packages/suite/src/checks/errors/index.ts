import type { Check } from "../../define/check.ts";
import { authorizationChecks } from "./authorization.ts";
import { detailChecks } from "./details.ts";
import { errorsInternalChecks } from "./internal.ts";
import { mappingChecks, missingIsNotFound } from "./mapping.ts";
import { validationChecks } from "./validation.ts";

export const errorChecks: readonly Check[] = [
  ...detailChecks,
  ...mappingChecks,
  ...validationChecks,
  missingIsNotFound,
  ...authorizationChecks,
  ...errorsInternalChecks,
];
