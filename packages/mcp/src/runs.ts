import { findRun, type RunFolder } from "@assay/library/runs";
import { z } from "zod";
import { readingArguments } from "./argument-error.ts";

/** A run in the folder of the server. It is never a path: tools read no other files. */
export const runName = z
  .string()
  .regex(/^(last(~\d{1,4})?|\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(-\d{1,6})?)$/, "a name of a run, last, or last~1");

export const runFile = (run: string, folder: RunFolder): Promise<string> =>
  readingArguments(() => findRun(run, folder));
