import type { Check } from "../../define/check.ts";
import { cardChecks, loginChecks } from "./card.ts";
import { historyChecks } from "./history.ts";
import { pushChecks } from "./push.ts";
import { refusalChecks, sendingChecks } from "./sending.ts";
import { v01ShapeChecks } from "./shapes.ts";
import { v01StreamChecks } from "./streams.ts";

/** What only 0.1 asks for: tasks under ids of the client, events without a task, one webhook for each task. */
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
