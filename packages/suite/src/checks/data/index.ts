import type { Check } from "../../check.ts";
import { isUtf8 } from "./is-utf8.ts";
import { readsTimes } from "./reads-times.ts";
import { ignoresUnknownMembers, readsAnyData, survivesOldForms, survivesProtoJson } from "./reads-what-json-allows.ts";
import { refusesMissingMembers } from "./refuses-missing-members.ts";
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
];
