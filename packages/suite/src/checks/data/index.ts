import type { Check } from "../../define/check.ts";
import { isUtf8 } from "./is-utf8.ts";
import { kindChecks, schemaChecks, wordChecks } from "./older-shapes.ts";

import {
  ignoresUnknownMembers,
  readsAnyData,
  readsTimes,
  refusesMissingMembers,
  survivesOldForms,
  survivesProtoJson,
  tellsMilliseconds,
  tellsUnsetFromZero,
} from "./requests.ts";

import { shapeChecks } from "./shapes.ts";

/** DATA, LEG */
export const dataChecks: readonly Check[] = [
  ...shapeChecks,
  isUtf8,
  readsTimes,
  tellsMilliseconds,
  refusesMissingMembers,
  ignoresUnknownMembers,
  readsAnyData,
  survivesProtoJson,
  survivesOldForms,
  tellsUnsetFromZero,
  ...kindChecks,
  ...wordChecks,
  ...schemaChecks,
];
