import type { Check } from "../../define/check.ts";
import { asItHappens } from "./as-it-happens.ts";
import { chunksAddUp, inOrder } from "./chunks.ts";
import { closesAtTheEnd } from "./closes-at-the-end.ts";
import { closingSnapshot } from "./closing-snapshot.ts";
import { finalChecks } from "./final-v0.3.ts";
import { lastChunkIsLast } from "./last-chunk.ts";
import { nothingAfterTheEnd } from "./nothing-after-the-end.ts";
import { oneMessage } from "./one-message.ts";
import { followerChecks } from "./only-updates-follow.ts";
import { opensStream } from "./opens.ts";
import { opensWithTask } from "./opens-with-task.ts";
import { noStreaming, noStreamToEndedTask, noStreamToUnknownTask, unreadableMedia } from "./refusals.ts";
import { sameIds } from "./same-ids.ts";
import { everyStreamGetsAll, othersGoOn, sameOrderOnEveryBinding, taskOutlivesStream } from "./several-streams.ts";
import { oneMemberEach } from "./shape.ts";
import { sseSyntaxChecks } from "./sse-syntax.ts";
import { tellsTheEnd } from "./tells-the-end.ts";
import { hearsTheQuestion } from "./while-it-waits.ts";

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
