import type { Check } from "../../define/check.ts";
import { idIsRequired, notToEndedTask, notToUnknownTask, notWithoutStreaming } from "./refusals.ts";
import {
  nothingIsLost,
  opensWithSnapshot,
  resubscribeChecks,
  subscriptionCloses,
  waitingTasksToo,
} from "./subscription.ts";

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
