import type { Check } from "../../define/check.ts";
import { configLife } from "./config-life.ts";
import { delivery } from "./delivery.ts";
import { embedded } from "./embedded.ts";
import { bodies, deletion, getByTask, labels, listed, nested, noOther } from "./older.ts";
import { onUnknownTasks, withoutPush } from "./refusals.ts";

import { pushShapeChecks } from "./shapes.ts";
import { keepsSecrets, outOfOrder, privateWebhooks } from "./webhooks.ts";

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
