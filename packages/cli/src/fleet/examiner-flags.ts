import { testOptions, type ValuesOf } from "@assay/suite/options";
import type { Command } from "commander";
import { atLeastOne, mebibytes, perSecond, seconds } from "../flag-values.ts";
import { addOptions } from "../option-flags.ts";

const { contact, allowHosts, trustHosts, allowSecrets, ca, rate } = testOptions;

/** Options of a test, of an agent that was listed and not named. */
const examinerOptions = {
  contact,
  allowHosts: { ...allowHosts, means: "contact this host although it is private or this machine (repeatable)" },
  trustHosts: { ...trustHosts, means: "show this host the login of an agent whose card leads there (repeatable)" },
  allowSecrets,
  ca,
  rate: { ...rate, means: "maximum number of requests a second to one agent" },
};

/** How agents are examined that were listed and not named: the flags of every process that examines them. */
export interface ExaminerFlags extends ValuesOf<typeof examinerOptions> {
  readonly allowPrivate?: boolean;
  readonly timeout?: number;
  readonly deadline: number;
  readonly maxMemory: number;
  readonly hostConcurrency: number;
  readonly hostRate: number;
  readonly attempts: number;
  readonly retryPause: number;
}

export const addExaminerFlags = (command: Command): Command =>
  addOptions(command, examinerOptions)
    .option("--allow-private", "contact all private addresses and this machine, but never those of cloud metadata")
    .option("--timeout <seconds>", "abort a request when nothing arrives for this long", seconds, 20)
    .option("--deadline <seconds>", "end the examination of an agent after this long", seconds, 120)
    .option("--max-memory <MiB>", "what the process that examines one agent may hold", mebibytes, 512)
    .option("--host-concurrency <n>", "examine so many agents of one host at a time", atLeastOne, 2)
    .option("--host-rate <n>", "begin so many examinations a second on one host", perSecond, 2)
    .option("--attempts <n>", "try an agent so often whose trouble may pass, such as no connection", atLeastOne, 3)
    .option("--retry-pause <seconds>", "wait so long before the second try, and twice as long each time", seconds, 30);
