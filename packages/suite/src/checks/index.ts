import type { Check } from "../define/check.ts";
import { bindingChecks } from "./bindings/index.ts";
import { cancelChecks } from "./cancel/index.ts";
import { cardChecks } from "./card/index.ts";
import { dataChecks } from "./data/index.ts";
import { errorChecks } from "./errors/index.ts";
import { extensionChecks } from "./extensions/index.ts";
import { getChecks } from "./get/index.ts";
import { lifecycleChecks } from "./lifecycle/index.ts";
import { listChecks } from "./list/index.ts";
import { pushChecks } from "./push/index.ts";
import { securityChecks } from "./security/index.ts";
import { sendChecks } from "./send/index.ts";
import { streamChecks } from "./stream/index.ts";
import { subscribeChecks } from "./subscribe/index.ts";
import { v01Checks } from "./v0.1/index.ts";
import { versionChecks } from "./versions/index.ts";

/** All checks. */
export const checks: readonly Check[] = [
  ...cardChecks,
  ...sendChecks,
  ...getChecks,
  ...lifecycleChecks,
  ...streamChecks,
  ...subscribeChecks,
  ...cancelChecks,
  ...listChecks,
  ...bindingChecks,
  ...errorChecks,
  ...pushChecks,
  ...securityChecks,
  ...dataChecks,
  ...versionChecks,
  ...extensionChecks,
  ...v01Checks,
];
