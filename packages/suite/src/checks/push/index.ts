import type { Check } from "../../define/check.ts";
import { configLife } from "./config-life.ts";
import { delivery } from "./delivery.ts";
import { embedded } from "./embedded.ts";
import { olderChecks } from "./older.ts";
import { refusalChecks } from "./refusals.ts";
import { pushShapeChecks } from "./shapes.ts";
import { webhookChecks } from "./webhooks.ts";

export const pushChecks: readonly Check[] = [
  ...refusalChecks,
  ...configLife,
  ...delivery,
  ...embedded,
  ...webhookChecks,
  ...pushShapeChecks,
  ...olderChecks,
];
