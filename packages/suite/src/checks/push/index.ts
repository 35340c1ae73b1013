import type { Check } from "../../check.ts";
import { configLife } from "./config-life.ts";
import { delivery } from "./delivery.ts";
import { embedded } from "./embedded.ts";
import { outOfOrder } from "./out-of-order.ts";
import { privateWebhooks } from "./private-webhooks.ts";
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
];
