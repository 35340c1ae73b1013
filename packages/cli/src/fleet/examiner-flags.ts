import { testOptions } from "@assay/suite/options";
import type { FlagsOf } from "../commands/command.ts";
import { atLeastOne, mebibytes, perSecond, seconds } from "../flag-values.ts";

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
export const examinerFlags = [
  examinerOptions,
  ["--allow-private", "contact all private addresses and this machine, but never those of cloud metadata"],
  ["--timeout <seconds>", "abort a request when nothing arrives for this long", seconds, 20],
  ["--deadline <seconds>", "end the examination of an agent after this long", seconds, 120],
  ["--max-memory <MiB>", "what the process that examines one agent may hold", mebibytes, 512],
  ["--host-concurrency <n>", "examine so many agents of one host at a time", atLeastOne, 2],
  ["--host-rate <n>", "begin so many examinations a second on one host", perSecond, 2],
  ["--attempts <n>", "try an agent so often whose trouble may pass, such as no connection", atLeastOne, 3],
  ["--retry-pause <seconds>", "wait so long before the second try, and twice as long each time", seconds, 30],
] as const;
export type ExaminerFlags = FlagsOf<typeof examinerFlags>;
