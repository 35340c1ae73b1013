import type { Check } from "../../check.ts";
import {
  refusedInOrder,
  returnsTheTask,
  staysCanceled,
  streamsHearOfIt,
  twiceDoesNoHarm,
} from "./cancel/cancelling.ts";
import { notWhenEnded, notWhenUnknown, takesMetadata } from "./cancel/refusals.ts";
import { artifactsOnRequest, byContext, byStatus, byTime, filtersCombine, noArtifactsUnasked } from "./list/filters.ts";
import {
  countsAll,
  everyTaskOnce,
  lastPageSaysSo,
  movesToTheFront,
  newestFirst,
  newTasksDoNotShift,
} from "./list/paging.ts";
import { atLeastOne, atMostHundred, foreignToken, noTimestamp, nothingFound, unknownStatus } from "./list/refusals.ts";
import { listsTasks, shapeOfPages } from "./list/shape.ts";
import { asItHappens } from "./stream/as-it-happens.ts";
import { chunksAddUp, inOrder } from "./stream/chunks.ts";
import { closesAtTheEnd } from "./stream/closes-at-the-end.ts";
import { closingSnapshot } from "./stream/closing-snapshot.ts";
import { lastChunkIsLast } from "./stream/last-chunk.ts";
import { nothingAfterTheEnd } from "./stream/nothing-after-the-end.ts";
import { oneMessage } from "./stream/one-message.ts";
import { followerChecks } from "./stream/only-updates-follow.ts";
import { opensStream } from "./stream/opens.ts";
import { opensWithTask } from "./stream/opens-with-task.ts";
import { noStreaming, noStreamToEndedTask, noStreamToUnknownTask, unreadableMedia } from "./stream/refusals.ts";
import { sameIds } from "./stream/same-ids.ts";
import {
  everyStreamGetsAll,
  othersGoOn,
  sameOrderOnEveryBinding,
  taskOutlivesStream,
} from "./stream/several-streams.ts";
import { oneMemberEach } from "./stream/shape.ts";
import { tellsTheEnd } from "./stream/tells-the-end.ts";
import { hearsTheQuestion } from "./stream/while-it-waits.ts";
import { idIsRequired, notToEndedTask, notToUnknownTask, notWithoutStreaming } from "./subscribe/refusals.ts";
import { nothingIsLost, opensWithSnapshot, subscriptionCloses, waitingTasksToo } from "./subscribe/subscription.ts";

/** STREAM, SUB, CANCEL, LIST */
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

  opensWithSnapshot,
  subscriptionCloses,
  notToEndedTask,
  notToUnknownTask,
  notWithoutStreaming,
  waitingTasksToo,
  nothingIsLost,
  idIsRequired,

  returnsTheTask,
  notWhenEnded,
  notWhenUnknown,
  twiceDoesNoHarm,
  staysCanceled,
  streamsHearOfIt,
  takesMetadata,
  refusedInOrder,

  listsTasks,
  ...shapeOfPages,
  lastPageSaysSo,
  countsAll,
  atMostHundred,
  atLeastOne,
  everyTaskOnce,
  newTasksDoNotShift,
  newestFirst,
  movesToTheFront,
  byContext,
  byStatus,
  filtersCombine,
  byTime,
  noArtifactsUnasked,
  artifactsOnRequest,
  foreignToken,
  unknownStatus,
  noTimestamp,
  nothingFound,
];
