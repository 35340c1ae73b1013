import { bindingChecks } from "../checks/bindings/index.ts";
import { cancelChecks } from "../checks/cancel/index.ts";
import { cardChecks } from "../checks/card/index.ts";
import { dataChecks } from "../checks/data/index.ts";
import { errorChecks } from "../checks/errors/index.ts";
import { extensionChecks } from "../checks/extensions/index.ts";
import { getChecks } from "../checks/get/index.ts";
import { lifecycleChecks } from "../checks/lifecycle/index.ts";
import { listChecks } from "../checks/list/index.ts";
import { pushChecks } from "../checks/push/index.ts";
import { securityChecks } from "../checks/security/index.ts";
import { sendChecks } from "../checks/send/index.ts";
import { streamChecks } from "../checks/stream/index.ts";
import { subscribeChecks } from "../checks/subscribe/index.ts";
import { v01Checks } from "../checks/v0.1/index.ts";
import { versionChecks } from "../checks/versions/index.ts";
import type { Check } from "../define/check.ts";

/** The folders of the checks, which are also those of the recordings. */
const areas: Readonly<Record<string, readonly Check[]>> = {
  bindings: bindingChecks,
  cancel: cancelChecks,
  card: cardChecks,
  data: dataChecks,
  errors: errorChecks,
  extensions: extensionChecks,
  get: getChecks,
  lifecycle: lifecycleChecks,
  list: listChecks,
  push: pushChecks,
  security: securityChecks,
  send: sendChecks,
  stream: streamChecks,
  subscribe: subscribeChecks,
  "v0.1": v01Checks,
  versions: versionChecks,
};

const areaOfRule = new Map(Object.entries(areas).flatMap(([area, checks]) => checks.map(({ id }) => [id, area])));

export const areaOf = (rule: string): string => areaOfRule.get(rule)!;
