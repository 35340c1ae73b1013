import type { Check } from "../../define/check.ts";
import { idIsRequired, notToEndedTask, notToUnknownTask, notWithoutStreaming } from "./refusals.ts";
import { resubscribeChecks } from "./resubscribing-v0.3.ts";
import { nothingIsLost, opensWithSnapshot, subscriptionCloses, waitingTasksToo } from "./subscription.ts";

/** SubscribeToTask */
export const subscribeChecks: readonly Check[] = [
  opensWithSnapshot,
  subscriptionCloses,
  notToEndedTask,
  notToUnknownTask,
  notWithoutStreaming,
  waitingTasksToo,
  nothingIsLost,
  idIsRequired,
  ...resubscribeChecks,
];
