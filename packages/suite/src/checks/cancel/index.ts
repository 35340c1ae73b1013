import type { Check } from "../../define/check.ts";
import { refusedInOrder, returnsTheTask, staysCanceled, streamsHearOfIt, twiceDoesNoHarm } from "./cancelling.ts";
import { notWhenEnded, notWhenUnknown, takesMetadata } from "./refusals.ts";

export const cancelChecks: readonly Check[] = [
  returnsTheTask,
  notWhenEnded,
  notWhenUnknown,
  twiceDoesNoHarm,
  staysCanceled,
  streamsHearOfIt,
  takesMetadata,
  refusedInOrder,
];
