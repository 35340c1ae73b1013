import { configOptions, connectionOptions, testOptions } from "@assay/suite/options";
import { declare, type FlagsOf } from "./command.ts";

const { shutdownTimeout } = testOptions;

const flags = [
  ["--url <url>", "address of the agent now (default: the address in the recording)"],
  ["--json", "print only the comparison, as JSON"],
  {
    shutdownTimeout: {
      ...shutdownTimeout,
      means: "after SIGTERM or Ctrl-C: time to finish pending requests before Assay exits",
    },
  },
  "Configuration",
  configOptions,
  "Connection",
  connectionOptions,
] as const;
export type ReplayFlags = FlagsOf<typeof flags>;

export const addReplay = declare({
  name: "replay",
  group: "understand",
  does: "Send the requests of a run again and compare the responses.",
  args: [
    ["<run>", "a run in .assay/runs (its name, the start of its name, or last), or an event file"],
    ["[rule]", "replay only the requests that prove the verdict on this rule, and those they depend on"],
  ],
  flags,
  examples: [
    ["assay replay last", "every request of the last run"],
    ["assay replay last CANCEL-002", "only those that prove one verdict"],
    ["assay replay last --url http://127.0.0.1:8080/agent"],
    ["assay replay 2026-11-15T08-14 --bearer env:TOKEN"],
  ],
  notes: [
    "Assay creates new ids, and replaces recorded task ids with the ids the agent uses now. Recordings contain no secrets: pass them again, as flags or in assay.yaml.",
    "Assay compares status, error codes, states and the shape of responses. It ignores texts, ids and times.",
    "Assay prints the number of messages first. It does not cancel tasks that still run at the end.",
  ],
  exitCodes: {
    0: "the same",
    1: "something differs",
    2: "replay failed: run not found, missing secret, or no response",
  },
  action: async () => (await import("../actions/replay.ts")).replayRun,
});
