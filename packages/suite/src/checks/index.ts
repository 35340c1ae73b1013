import type { Check } from "../check.ts";
import { cardChecks } from "./card/index.ts";
import { dataChecks } from "./data/index.ts";
import { extensionChecks } from "./extensions/index.ts";
import { interopChecks } from "./interop/index.ts";
import { lifecycleChecks } from "./lifecycle/index.ts";
import { pushChecks } from "./push/index.ts";
import { securityChecks } from "./security/index.ts";
import { streamChecks } from "./streams/index.ts";
import { versionChecks } from "./versions/index.ts";
import { wireChecks } from "./wire/index.ts";

/** Every check there is. */
export const checks: readonly Check[] = [
  ...cardChecks,
  ...lifecycleChecks,
  ...streamChecks,
  ...wireChecks,
  ...pushChecks,
  ...securityChecks,
  ...dataChecks,
  ...versionChecks,
  ...extensionChecks,
  ...interopChecks,
];
