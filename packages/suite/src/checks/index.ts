import type { Check } from "../check.ts";
import { cardChecks } from "./card/index.ts";
import { dataChecks } from "./data/index.ts";
import { lifecycleChecks } from "./lifecycle/index.ts";
import { pushAndSecurityChecks } from "./security/index.ts";
import { streamChecks } from "./streams/index.ts";
import { wireChecks } from "./wire/index.ts";

/** Every check there is. */
export const checks: readonly Check[] = [
  ...cardChecks,
  ...lifecycleChecks,
  ...streamChecks,
  ...wireChecks,
  ...pushAndSecurityChecks,
  ...dataChecks,
];
