import type { Check } from "../../define/check.ts";
import { cardChecks } from "./card.ts";
import { historyChecks } from "./history.ts";
import { loginChecks } from "./login.ts";
import { partChecks } from "./parts.ts";
import { pushChecks } from "./push.ts";
import { refusalChecks } from "./refusals.ts";
import { resubscribingChecks } from "./resubscribing.ts";
import { sendingChecks } from "./sending.ts";
import { shapeChecks } from "./shapes.ts";
import { streamChecks } from "./streams.ts";

/** What only 0.1 asks for: tasks under ids of the client, events without a task, one webhook for each task. */
export const v01Checks: readonly Check[] = [
  ...cardChecks,
  ...sendingChecks,
  ...shapeChecks,
  ...partChecks,
  ...historyChecks,
  ...streamChecks,
  ...resubscribingChecks,
  ...pushChecks,
  ...refusalChecks,
  ...loginChecks,
];
