import { configOptions, connectionOptions } from "@assay/suite/options";
import { declare, type FlagsOf } from "./command.ts";

const flags = [
  ["--url <url>", "the agent as it is reached now; the address of the recording unless given"],
  ["--json", "print the comparison as JSON, and nothing else"],
  { ...configOptions, ...connectionOptions },
] as const;
export type ReplayFlags = FlagsOf<typeof flags>;

export const addReplay = declare({
  name: "replay",
  does: "Send the requests of a recorded run again, and compare what comes back with what came then.",
  args: [
    ["<run>", 'a run below .assay/runs or the beginning of its name, "last", or a file of events'],
    ["[rule]", "only what proves the verdict on this rule, and what that rests on"],
  ],
  flags,
  help: `
Examples:
  $ assay replay last                          every request of the last run
  $ assay replay last CANCEL-002               those that prove what was said of this rule
  $ assay replay last --url http://127.0.0.1:8080/agent
  $ assay replay 2026-11-15T08-14 --bearer env:TOKEN

Ids are made anew, and what the agent calls its tasks now takes the place of what it called them then. Recordings hold no secrets:
give them again, by flags or in assay.yaml. Compared are status, error codes, states and the form of answers, not texts, ids and times.
The number of messages is announced first. What the agent had begun when it is over goes on without us.
Exit codes: 0 the same · 1 something differs · 2 it could not be: no such run, a secret is missing, nothing answered`,
  action: async () => (await import("../actions/replay.ts")).replayRun,
});
