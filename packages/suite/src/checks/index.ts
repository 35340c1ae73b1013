import type { Check } from "../check.ts";
import { cardChecks } from "./card/index.ts";
import { dataChecks } from "./data/index.ts";
import { extensionChecks } from "./extensions/index.ts";
import { interopChecks } from "./interop/index.ts";
import { lifecycleChecks } from "./lifecycle/index.ts";
import { olderCardChecks } from "./older/cards/index.ts";
import { olderDataChecks } from "./older/data/index.ts";
import { olderGrpcChecks } from "./older/grpc/index.ts";
import { hybridChecks } from "./older/hybrid/index.ts";
import { olderLifecycleChecks } from "./older/lifecycle/index.ts";
import { olderPushChecks } from "./older/push/index.ts";
import { olderRestChecks } from "./older/rest/index.ts";
import { olderSecurityChecks } from "./older/security/index.ts";
import { olderStreamChecks } from "./older/streams/index.ts";
import { v01Checks } from "./older/v0.1/index.ts";
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
  ...olderRestChecks,
  ...olderGrpcChecks,
  ...olderPushChecks,
  ...olderCardChecks,
  ...olderSecurityChecks,
  ...hybridChecks,
  ...olderLifecycleChecks,
  ...olderStreamChecks,
  ...olderDataChecks,
  ...v01Checks,
];
