import type { Check } from "../../define/check.ts";
import { bodies, labels } from "./bodies-v0.3.ts";
import { configLife } from "./config-life.ts";
import { deletion, getByTask, listed, nested, noOther } from "./configs-v0.3.ts";
import { delivery } from "./delivery.ts";
import { embedded } from "./embedded.ts";
import { outOfOrder } from "./failing-webhooks.ts";
import { keepsSecrets } from "./keeps-secrets.ts";
import { privateWebhooks } from "./private-webhooks.ts";
import { pushShapeChecks } from "./shapes.ts";
import { onUnknownTasks } from "./unknown-task.ts";
import { withoutPush } from "./without-push.ts";

/** PUSH */
export const pushChecks: readonly Check[] = [
  ...withoutPush,
  ...onUnknownTasks,
  ...configLife,
  ...delivery,
  ...embedded,
  ...outOfOrder,
  privateWebhooks,
  keepsSecrets,
  ...pushShapeChecks,
  bodies,
  getByTask,
  labels,
  deletion,
  nested,
  listed,
  noOther,
];
