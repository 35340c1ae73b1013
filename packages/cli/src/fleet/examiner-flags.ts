import type { Command } from "commander";
import {
  allowSecretFlag,
  allowSecretText,
  atLeastOne,
  collect,
  mebibytes,
  perSecond,
  seconds,
} from "../flag-values.ts";

/** How agents are examined that were listed and not named: the flags of every process that examines them. */
export interface ExaminerFlags {
  readonly contact?: string;
  readonly allowHost?: string[];
  readonly allowPrivate?: boolean;
  readonly trustHost?: string[];
  readonly allowSecret?: string[];
  readonly ca?: string;
  readonly timeout?: number;
  readonly deadline: number;
  readonly maxMemory: number;
  readonly rate?: number;
  readonly hostConcurrency: number;
  readonly hostRate: number;
  readonly attempts: number;
  readonly retryPause: number;
}

export const addExaminerFlags = (command: Command): Command =>
  command
    .option("--contact <address>", "put this in our User-Agent, for those who run the agents")
    .option(
      "--allow-host <host>",
      "may be contacted although it is on a private network or this machine (repeatable)",
      collect,
    )
    .option("--allow-private", "the same for all private addresses and this machine; never for those of cloud metadata")
    .option("--trust-host <host[:port]>", "may see the login of an agent whose card leads there (repeatable)", collect)
    .option(allowSecretFlag, allowSecretText, collect)
    .option("--ca <file>", "trust this certificate authority as well (PEM)")
    .option("--timeout <seconds>", "give up a request when nothing is heard for this long", seconds, 20)
    .option("--deadline <seconds>", "end the examination of an agent after this long", seconds, 120)
    .option("--max-memory <MiB>", "what the process that examines one agent may hold", mebibytes, 512)
    .option("--rate <n>", "at most so many requests a second to one agent (no limit unless given)", perSecond)
    .option("--host-concurrency <n>", "examine so many agents of one host at a time", atLeastOne, 2)
    .option("--host-rate <n>", "begin so many examinations a second on one host", perSecond, 2)
    .option("--attempts <n>", "try an agent so often whose trouble may pass, such as no connection", atLeastOne, 3)
    .option("--retry-pause <seconds>", "wait so long before the second try, and twice as long each time", seconds, 30);
