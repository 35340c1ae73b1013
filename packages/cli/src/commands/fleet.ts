import { testOptions } from "@assay/suite/options";
import { atLeastOne, collect, days, span } from "../flag-values.ts";
import { examinerFlags } from "../fleet/examiner-flags.ts";
import { declare, type FlagsOf } from "./command.ts";

const runFlags = [
  [
    "--fleet <name>",
    "what the fleet is called: its sweeps are compared (the name in the list, or of it, unless given)",
  ],
  ["--format <name>", "how the list is written (by its ending, unless given)", ["yaml", "csv", "ndjson"]],
  ["--json-path <path>", "where the addresses are in a listing of another shape, such as $.items[*].cardUrl"],
  ["--skip-bad-rows", "go on without the rows that cannot be read; they are told all the same"],
  { depth: { ...testOptions.depth, means: "how much to test where the list does not say", default: "free" } },
  ["--allow-message", "send one plain message to each agent, which may be a model call that costs its owner money"],
  [
    "--unchanged-every <span>",
    "examine an agent whose card did not change only after this long, such as 7d (in every sweep unless given)",
    span,
  ],
  ["--concurrency <n>", "examine so many agents at a time", atLeastOne, 4],
  [
    "--max-time <span>",
    "end the sweep after this long; agents that had no turn are not examined (never unless given)",
    span,
  ],
  ["--every <span>", "begin a sweep this often, such as 24h, until interrupted (once unless given)", span],
  ["--fresh", "begin a new sweep, though the last one was interrupted (it goes on with that one unless given)"],
  [
    "--queue <address>",
    "hand the agents to workers (assay worker) by a queue on redis://…, rediss://… or postgres://…; env:NAME or @file where it holds a password",
  ],
  [
    "--history <address>",
    "where verdicts and reports are kept: sqlite:<file> or postgres://…, env:NAME or @file (.assay/history.db unless given)",
  ],
  [
    "--keep-evidence <span>",
    "let go of reports and exchanges after this long; verdicts stay (never unless given)",
    span,
  ],
  ["--webhook <url>", "where agents that became worse are told, as JSON; env:NAME or @file"],
  ["--json", "print what came of the sweep as JSON, and nothing else"],
  ...examinerFlags,
] as const;
export type FleetFlags = FlagsOf<typeof runFlags>;

const historyFlag = [
  "--history <address>",
  "where the fleet is kept: sqlite:<file> or postgres://…, env:NAME or @file (.assay/history.db, unless given)",
] as const;

const statusFlags = [
  ["--fleet <name>", "only this fleet"],
  historyFlag,
  ["--json", "print it as JSON, and nothing else"],
] as const;
export type FleetStatusFlags = FlagsOf<typeof statusFlags>;

const reportFlags = [
  ["--fleet <name>", "whose report (the only fleet there is, unless given)"],
  ["--sweep <name>", "which sweep (the last that came to its end, unless given)"],
  historyFlag,
  ["--report <format[=file]>", "json, markdown or html, to a file or the output (repeatable)", collect],
  ["--out <folder>", "the site: index.html, a page and a badge for each agent, hallmarks"],
  ["--contact <text>", "how owners of agents reach you: stands on their pages"],
  ["--hallmark-key <key>", "sign hallmarks with this private key, @file or env:NAME: docs/hallmark.md"],
  ["--issuer <name>", "in whose name they are signed"],
  ["--valid-days <n>", "how long they are good, from the test on", days, 90],
  ["--revocations <file>", "your list of revocations: what is in it is not signed again"],
] as const;
export type FleetReportFlags = FlagsOf<typeof reportFlags>;

export const addFleet = declare({
  name: "fleet",
  does: "Many agents: which work, which do not, why, and what changed since last time.",
  commands: [
    {
      name: "run",
      isDefault: true,
      does: "Examine every agent of a list, each in a process of its own: one class for each, with its reason.",
      args: [["<list>", "agents.yaml, a CSV or NDJSON file, or the address of a registry's listing (docs/fleet.md)"]],
      flags: runFlags,
      help: `
Examples:
  $ assay fleet agents.yaml --contact ops@registry.example
  $ assay fleet https://registry.example/agents --json-path '$.items[*].cardUrl' --every 24h --unchanged-every 7d
  $ assay fleet agents.csv --allow-message --history env:HISTORY --webhook env:ALERTS
  $ assay fleet agents.ndjson --queue env:QUEUE --history env:HISTORY      and on other machines: assay worker

Depth: card (only the card) · free (asked, and made to do no work) · quick, full (messages); by label in the list.
Ctrl-C leaves what is settled; the same command goes on with the rest. With --queue the flags of the workers say how agents are examined,
and workers go on with what is in the queue.
Exit codes: 0 no agent became worse · 1 agents became worse than in the last sweep · 2 wrong usage, bad rows, or no agent could be
examined · 3 our own error · 130 interrupted`,
      action: async () => (await import("../actions/fleet.ts")).runFleet,
    },
    {
      name: "status",
      does: "Where a fleet is: its last sweep, the open ones and what waits, how many agents are in each class.",
      flags: statusFlags,
      help: "\nExit codes: 0 told · 2 no fleet was swept yet · 3 our own error",
      action: async () => (await import("../actions/fleet-status.ts")).tellFleetStatus,
    },
    {
      name: "report",
      does: "What a sweep found: the league, what changed, the commonest failures; as files, or as a site with a page for each agent.",
      flags: reportFlags,
      help: `
Examples:
  $ assay fleet report                                             what there is to know, on the screen
  $ assay fleet report --report json=fleet.json --report markdown=fleet.md
  $ assay fleet report --out public --contact ops@registry.example
  $ assay fleet report --out public --hallmark-key @registry.pem --issuer https://registry.example

Exit codes: 0 written · 2 wrong usage, or nothing was swept yet · 3 our own error, or a file that could not be written`,
      action: async () => (await import("../actions/fleet-report.ts")).reportFleet,
    },
  ],
});

/** One agent of a fleet: what the processes are started with, and no one else. */
export const addExamineAgent = declare({
  name: "examine-agent",
  hidden: true,
  does: "",
  args: [["<way>"]],
  action: async () => (await import("../fleet/examine-agent.ts")).examineAgent,
});
