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
import { refusalChecks } from "./refusals.ts";
import { severalStreamChecks } from "./several-streams.ts";

/** SendStreamingMessage, and rules for all streams */
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
  ...severalStreamChecks,
  ...refusalChecks,
  sameIds,
  asItHappens,
  chunksAddUp,
  lastChunkIsLast,
  hearsTheQuestion,
  closingSnapshot,
  ...finalChecks,
  ...sseSyntaxChecks,
];
