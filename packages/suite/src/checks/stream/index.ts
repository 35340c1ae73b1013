import type { Check } from "../../define/check.ts";
import { asItHappens } from "./as-it-happens.ts";
import { chunksAddUp, inOrder, lastChunkIsLast } from "./chunks.ts";
import {
  closesAtTheEnd,
  closingSnapshot,
  finalChecks,
  hearsTheQuestion,
  nothingAfterTheEnd,
  tellsTheEnd,
} from "./ending.ts";

import {
  followerChecks,
  oneMemberEach,
  oneMessage,
  opensStream,
  opensWithTask,
  sameIds,
  sseSyntaxChecks,
} from "./events.ts";

import { noStreaming, noStreamToEndedTask, noStreamToUnknownTask, unreadableMedia } from "./refusals.ts";

import { everyStreamGetsAll, othersGoOn, sameOrderOnEveryBinding, taskOutlivesStream } from "./several-streams.ts";

/** SendStreamingMessage, and what every stream keeps */
export const streamChecks: readonly Check[] = [
  opensStream,
  oneMessage,
  opensWithTask,
  ...followerChecks,
  closesAtTheEnd,
  tellsTheEnd,
  nothingAfterTheEnd,
  oneMemberEach,
  inOrder,
  sameOrderOnEveryBinding,
  everyStreamGetsAll,
  othersGoOn,
  taskOutlivesStream,
  noStreaming,
  noStreamToEndedTask,
  noStreamToUnknownTask,
  unreadableMedia,
  sameIds,
  asItHappens,
  chunksAddUp,
  lastChunkIsLast,
  hearsTheQuestion,
  closingSnapshot,
  ...finalChecks,
  ...sseSyntaxChecks,
];
