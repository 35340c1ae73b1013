import type { Check } from "../../define/check.ts";
import { wordChecks } from "./enum-values-v0.3.ts";
import { isUtf8 } from "./is-utf8.ts";
import { kindChecks } from "./kinds-v0.3.ts";
import { readsTimes } from "./reads-times.ts";
import { ignoresUnknownMembers, readsAnyData, survivesOldForms, survivesProtoJson } from "./reads-what-json-allows.ts";
import { refusesMissingMembers } from "./refuses-missing-members.ts";
import { schemaChecks } from "./schema-v0.3.ts";
import { shapeChecks } from "./shapes.ts";
import { tellsMilliseconds } from "./tells-milliseconds.ts";
import { tellsUnsetFromZero } from "./tells-unset-from-zero.ts";

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
