import type { Check } from "../../define/check.ts";
import { artifactsOnRequest, byContext, byStatus, byTime, filtersCombine, noArtifactsUnasked } from "./filters.ts";
import {
  countsAll,
  everyTaskOnce,
  lastPageSaysSo,
  movesToTheFront,
  newestFirst,
  newTasksDoNotShift,
} from "./paging.ts";
import { atLeastOne, atMostHundred, foreignToken, noTimestamp, nothingFound, unknownStatus } from "./refusals.ts";
import { listsTasks, shapeOfPages } from "./shape.ts";

/** ListTasks */
export const listChecks: readonly Check[] = [
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
