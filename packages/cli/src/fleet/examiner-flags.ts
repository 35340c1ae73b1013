import { testOptions } from "@assay/suite/options";
import type { FlagsOf } from "../commands/command.ts";
import { atLeastOne, mebibytes, perSecond, seconds } from "../flag-values.ts";

const { contact, allowHosts, trustHosts, allowSecrets, ca, rate } = testOptions;

/** Options of `assay test`, reworded for agents that come from a list. */
const examinerOptions = {
  contact,
  allowHosts: { ...allowHosts, means: "allow requests to this host although it is private or local (repeatable)" },
  trustHosts: {
    ...trustHosts,
    means: "send an agent's credentials to this host if its card points there (repeatable)",
  },
  allowSecrets,
  ca,
  rate: { ...rate, means: "maximum number of requests per second to one agent" },
};

/** The flags of every command that examines agents of a list. */
export const examinerFlags = [
  "Examination",
  examinerOptions,
  ["--allow-private", "allow requests to all private and local addresses, except cloud metadata"],
  ["--timeout <seconds>", "abort a request when nothing arrives for this long", seconds, 20],
  ["--deadline <seconds>", "end the examination of an agent after this long", seconds, 120],
  ["--max-memory <MiB>", "memory limit of the process that examines one agent", mebibytes, 512],
  ["--host-concurrency <n>", "agents of one host to examine at a time", atLeastOne, 2],
  ["--host-rate <n>", "examinations to start per second on one host", perSecond, 2],
  ["--attempts <n>", "attempts for an agent with a temporary problem, such as no connection", atLeastOne, 3],
  ["--retry-pause <seconds>", "pause before the second attempt; it doubles each time", seconds, 30],
] as const;
export type ExaminerFlags = FlagsOf<typeof examinerFlags>;
