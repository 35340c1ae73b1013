import { connectionOptions, testOptions } from "@assay/suite/options";
import { atLeastOne, bindings, collect, list } from "../flag-values.ts";
import { declare, type FlagsOf } from "./command.ts";

const { webhookUrl, webhookListen } = testOptions;

const flags = [
  ["--url <url>", "the agent to run them on"],
  [
    "--agent <name=path>",
    "agents that scenarios name (x-assay.agent) are at this path or address instead (repeatable)",
    collect,
  ],
  ["--auth-url <url>", "the same agent with authentication on: for scenarios that need it"],
  ["--reduced-url <url>", "the same agent with its capabilities off: for scenarios that need it"],
  ["--binding <name>", "only over this binding: JSONRPC, HTTP+JSON or GRPC (repeatable)", bindings],
  ["--only <what>", "only these: ids, CORE-*, rest/CORE-SEND-001, suites or tags (repeatable)", list],
  ["--skip <what>", "all but these (repeatable)", list],
  ["--list", "read the files, show what is in them, and stop"],
  [
    "--behaviours <names>",
    'what the agent can be asked to do: names such as tck-complete-task, a file of behaviours, or "all"; unless given, it is found out',
    list,
  ],
  [
    "--var <name=value>",
    "a variable of the scenarios (env:NAME or @file behind the = for secrets; repeatable)",
    collect,
  ],
  ["--concurrency <n>", "scenarios at a time (4 on this machine, otherwise 1)", atLeastOne],
  [
    "--sdk <name[@version][:language]>",
    "what the ACTS report says was tested (the card's name and version unless given)",
  ],
  [
    "--report <format[=file]>",
    "write a report: acts, json, junit or markdown; to the output unless a file is named (repeatable)",
    collect,
  ],
  { webhookUrl, webhookListen, ...connectionOptions },
] as const;
export type ActsFlags = FlagsOf<typeof flags>;

export const addActs = declare({
  name: "acts",
  does: "Run scenarios of the A2A Conformance Test Specification (ACTS), or your own in its format.",
  args: [["<files...>", "files in the format, or folders with files that end in .acts.yaml"]],
  flags,
  help: `
Examples:
  $ assay acts tests/acts --url http://127.0.0.1:9999
  $ assay acts tests/acts --url http://127.0.0.1:9999 --only 'CORE-*' --binding GRPC
  $ assay acts my.acts.yaml --url http://127.0.0.1:9999 --report junit=out/acts.xml --report acts=out/acts.json
  $ assay acts my.acts.yaml --list                            is the file right, and what is in it?

A row each: ✓ pass · ✗ fail · - skipped, and why · ~ the scenario itself is defective · ! an error of ours or of the network.
On our own test bed the runs with authentication and with reduced capabilities are started by themselves.
Exit codes: 0 nothing failed · 1 a scenario of level must failed · 2 wrong usage, a mistake in a file, or no agent there
· 3 our own error · 130 interrupted`,
  action: async () => (await import("../actions/acts.ts")).runActs,
});
