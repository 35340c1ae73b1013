import { testOptions } from "@assay/suite/options";
import { atLeastOne, collect, days, span } from "../flag-values.ts";
import { examinerFlags } from "../fleet/examiner-flags.ts";
import { declare, type FlagsOf } from "./command.ts";

const runFlags = [
  "List",
  [
    "--fleet <name>",
    "name of the fleet; sweeps of the same fleet are compared (default: the name in the list, or of the list)",
  ],
  ["--format <name>", "format of the list: yaml, csv or ndjson (default: by its extension)", ["yaml", "csv", "ndjson"]],
  ["--json-path <path>", "where a registry's listing has the addresses, such as $.items[*].cardUrl"],
  [
    "--only <name>",
    "examine only this agent of the list, in a new sweep; the others keep their last verdicts (repeatable)",
    collect,
  ],
  ["--skip-bad-rows", "report invalid rows and continue without them"],
  "Sweep",
  { depth: { ...testOptions.depth, means: "how much to test when the list does not say", default: "free" } },
  ["--allow-message", "send one plain message to each agent; it may be a model call that costs its owner money"],
  [
    "--unchanged-every <span>",
    "how often to examine an agent whose card did not change, such as 7d (default: in every sweep)",
    span,
  ],
  ["--concurrency <n>", "agents to examine at a time", atLeastOne, 4],
  [
    "--max-time <span>",
    "end the sweep after this long; the remaining agents are not examined (default: no limit)",
    span,
  ],
  ["--every <span>", "start a sweep this often, such as 24h, until interrupted (default: once)", span],
  ["--fresh", "start a new sweep instead of continuing an interrupted one"],
  {
    shutdownTimeout: {
      ...testOptions.shutdownTimeout,
      means: "after SIGTERM or Ctrl-C: time to end running examinations before Assay exits",
    },
  },
  "Storage and output",
  [
    "--queue <address>",
    "queue for workers (assay worker): redis://…, rediss://… or postgres://…; use env:NAME or @file for an address with a password",
  ],
  [
    "--history <address>",
    "database for verdicts and reports: sqlite:<file> or postgres://…, env:NAME or @file (default: .assay/history.db)",
  ],
  ["--keep-evidence <span>", "delete reports and exchanges after this long; verdicts stay (default: keep them)", span],
  ["--webhook <url>", "send agents that got worse to this URL, as JSON; env:NAME or @file"],
  ["--json", "print only the result of the sweep, as JSON"],
  ...examinerFlags,
] as const;
export type FleetFlags = FlagsOf<typeof runFlags>;

const historyFlag = [
  "--history <address>",
  "database of the fleet: sqlite:<file> or postgres://…, env:NAME or @file (default: .assay/history.db)",
] as const;

const statusFlags = [
  ["--fleet <name>", "show only this fleet"],
  historyFlag,
  ["--json", "print only the status, as JSON"],
] as const;
export type FleetStatusFlags = FlagsOf<typeof statusFlags>;

const reportFlags = [
  ["--fleet <name>", "fleet to report on (default: the only one)"],
  ["--sweep <name>", "sweep to report on (default: the last finished one)"],
  historyFlag,
  ["--report <format[=file]>", "write a report, to a file or to stdout: json, markdown or html (repeatable)", collect],
  ["--out <folder>", "write the site: index.html, a page and a badge for each agent, hallmarks"],
  ["--contact <text>", "how owners of agents reach you; shown on their pages"],
  ["--hallmark-key <key>", "private key to sign hallmarks with: @file or env:NAME (docs/hallmark.md)"],
  ["--issuer <name>", "issuer of the hallmarks"],
  ["--valid-days <n>", "days a hallmark is valid, counted from the test", days, 90],
  ["--revocations <file>", "your revocation list; Assay does not sign revoked hallmarks again"],
] as const;
export type FleetReportFlags = FlagsOf<typeof reportFlags>;

export const addFleet = declare("fleet", {
  group: "many",
  does: "Test all agents of a list or registry, and track changes.",
  examples: [["assay fleet agents.yaml"], ["assay fleet status"], ["assay fleet report --out public"]],
  commands: [
    {
      name: "run",
      isDefault: true,
      does: "Examine every agent of a list and put each into one class, with the reason.",
      args: [["<list>", "agents.yaml, a CSV or NDJSON file, or the URL of a registry's listing (docs/fleet.md)"]],
      flags: runFlags,
      examples: [
        ["assay fleet agents.yaml --contact ops@registry.example", "examine the agents of a file"],
        ["assay fleet agents.yaml --only weather", "examine one agent again, after a fix"],
        ["assay fleet https://registry.example/agents --every 24h", "examine a registry once a day"],
        ["assay fleet agents.csv --allow-message --history env:HISTORY", "send each agent one message"],
        [
          "assay fleet agents.ndjson --queue env:QUEUE --history env:HISTORY",
          "hand the agents to workers on other machines",
        ],
      ],
      notes: [
        "Depth: card (only the card), free (requests that cause no work), quick and full (messages). The list can set it for each label.",
        "Ctrl-C saves the progress. Run the same command again to continue. With --queue, the flags of the workers decide how agents are examined, and the workers keep processing the queue after Ctrl-C.",
      ],
      exitCodes: {
        0: "no agent got worse",
        1: "agents got worse since the last sweep",
        2: "wrong usage, invalid rows, or no agent could be examined",
        3: "internal error",
        130: "interrupted",
      },
      action: async () => (await import("../actions/fleet.ts")).runFleet,
    },
    {
      name: "status",
      does: "Show the last sweep, open sweeps, waiting agents, and the number in each class.",
      flags: statusFlags,
      examples: [["assay fleet status"], ["assay fleet status --fleet registry --json"]],
      exitCodes: { 0: "status printed", 2: "no sweep yet", 3: "internal error" },
      action: async () => (await import("../actions/fleet-status.ts")).tellFleetStatus,
    },
    {
      name: "report",
      does: "Report on a sweep: ranking, changes, most common failures; as files or as a site.",
      flags: reportFlags,
      examples: [
        ["assay fleet report", "print a summary"],
        ["assay fleet report --report json=fleet.json --report markdown=fleet.md", "write files"],
        ["assay fleet report --out public --contact ops@registry.example", "write a site with a page for each agent"],
        ["assay fleet report --out public --hallmark-key @registry.pem --issuer acme", "sign hallmarks, too"],
      ],
      exitCodes: {
        0: "written",
        2: "wrong usage, or no sweep yet",
        3: "internal error, or a file could not be written",
      },
      action: async () => (await import("../actions/fleet-report.ts")).reportFleet,
    },
  ],
});

/** Examines agents of a fleet; only Assay itself starts it, as a child process. */
export const addExamineAgents = declare("examine-agents", {
  hidden: true,
  does: "",
  args: [["<way>"]],
  action: async () => (await import("../fleet/examine-agents.ts")).examineAgents,
});
