import type { Check } from "../../define/check.ts";
import { cardChecks, loginChecks } from "./card.ts";
import { historyChecks } from "./history.ts";
import { pushChecks } from "./push.ts";
import { refusalChecks, sendingChecks } from "./sending.ts";
import { v01ShapeChecks } from "./shapes.ts";
import { v01StreamChecks } from "./streams.ts";

/** Rules of 0.1 alone: task ids chosen by the client, events without a task, one webhook per task. */
export const v01Checks: readonly Check[] = [
  ...cardChecks,
  ...sendingChecks,
  ...v01ShapeChecks,
  ...historyChecks,
  ...v01StreamChecks,
  ...pushChecks,
  ...refusalChecks,
  ...loginChecks,
];
