import type { Check } from "../../define/check.ts";
import { filterChecks } from "./filters.ts";
import {
  countsAll,
  everyTaskOnce,
  lastPageSaysSo,
  movesToTheFront,
  newestFirst,
  newTasksDoNotShift,
} from "./paging.ts";
import { atLeastOne, atMostHundred, foreignToken, noTimestamp, nothingFound, unknownStatus } from "./refusals.ts";
import { shapeChecks } from "./shape.ts";

export const listChecks: readonly Check[] = [
  ...shapeChecks,
  lastPageSaysSo,
  countsAll,
  atMostHundred,
  atLeastOne,
  everyTaskOnce,
  newTasksDoNotShift,
  newestFirst,
  movesToTheFront,
  ...filterChecks,
  foreignToken,
  unknownStatus,
  noTimestamp,
  nothingFound,
];
