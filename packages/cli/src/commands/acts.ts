import { connectionOptions, testOptions } from "@assay/suite/options";
import { atLeastOne, bindings, collect, list } from "../flag-values.ts";
import { declare, type FlagsOf } from "./command.ts";

const { webhookUrl, webhookListen, shutdownTimeout } = testOptions;

const flags = [
  "Target",
  ["--url <url>", "agent to run the scenarios on"],
  ["--agent <name=path>", "path or address of an agent that scenarios name as x-assay.agent (repeatable)", collect],
  ["--auth-url <url>", "the same agent with authentication on, for scenarios that need it"],
  ["--reduced-url <url>", "the same agent with its capabilities off, for scenarios that need it"],
  ["--binding <name>", "use only this binding: JSONRPC, HTTP+JSON or GRPC (repeatable)", bindings],
  { webhookUrl, webhookListen },
  "Scenarios",
  ["--only <what>", "run only these: ids, CORE-*, rest/CORE-SEND-001, suites or tags (repeatable)", list],
  ["--skip <what>", "run all scenarios except these (repeatable)", list],
  ["--list", "read the files, list their scenarios, and stop"],
  [
    "--behaviours <names>",
    'behaviours the agent supports: names such as tck-complete-task, a file of behaviours, or "all" (default: detected)',
    list,
  ],
  [
    "--var <name=value>",
    "variable of the scenarios; use env:NAME or @file as the value of a secret (repeatable)",
    collect,
  ],
  [
    "--concurrency <n>",
    "scenarios to run at a time (default: 4 if the agent runs on this machine, otherwise 1)",
    atLeastOne,
  ],
  { shutdownTimeout },
  "From a recorded run",
  [
    "--from <run>",
    "write the conversations of a run in .assay/runs as scenarios: its name, the start of its name, or last",
  ],
  ["--out <file>", "file for these scenarios (default: stdout)"],
  "Output",
  [
    "--sdk <name[@version][:language]>",
    "name of the tested SDK in the ACTS report (default: name and version of the card)",
  ],
  [
    "--report <format[=file]>",
    "write a report, to a file or to stdout: acts, json, junit or markdown (repeatable)",
    collect,
  ],
  "Connection",
  connectionOptions,
] as const;
export type ActsFlags = FlagsOf<typeof flags>;

export const addActs = declare("acts", {
  group: "test",
  does: "Run ACTS conformance scenarios, or your own.",
  args: [["[files...]", "ACTS files, or folders with files that end in .acts.yaml; none with --from"]],
  flags,
  examples: [
    ["assay acts tests/acts --url http://127.0.0.1:9999", "run every scenario in a folder"],
    ["assay acts tests/acts --url http://127.0.0.1:9999 --only 'CORE-*'", "run some of them"],
    ["assay acts my.acts.yaml --url http://127.0.0.1:9999 --report junit=acts.xml", "write a JUnit file"],
    ["assay acts my.acts.yaml --list", "check the file and list its scenarios"],
    ["assay acts --from last --out recorded.acts.yaml", "write the conversations of the last run as scenarios"],
  ],
  notes: [
    "ACTS is the A2A Conformance Test Specification. Your own scenarios use its format (docs/scenarios.md).",
    "Each row starts with a sign: ✓ pass, ✗ fail, - skipped (with the reason), ~ the scenario itself is defective, ! an internal error or a network error.",
    "On the built-in test bed, Assay starts the variants with authentication and with reduced capabilities by itself.",
  ],
  exitCodes: {
    0: "nothing failed",
    1: "a scenario of level must failed",
    2: "wrong usage, an error in a file, or no agent at the address",
    3: "internal error",
    130: "interrupted",
  },
  action: async () => (await import("../actions/acts.ts")).runActs,
});
