import { type TestValues, testOptions } from "@assay/suite/options";
import { type Command, Option } from "commander";
import type { ExitCode } from "../exit.ts";
import { atLeastOne, span } from "../flag-values.ts";
import { addExaminerFlags, type ExaminerFlags } from "../fleet/examiner-flags.ts";
import { addOptions } from "../option-flags.ts";
import type { Screen } from "../terminal/screen.ts";
import type { AddCommand } from "./command.ts";

const depth = { ...testOptions.depth, means: "how much to test where the list does not say", default: "free" };

export interface FleetFlags extends ExaminerFlags, Pick<TestValues, "depth"> {
  readonly fleet?: string;
  readonly format?: "yaml" | "csv" | "ndjson";
  readonly jsonPath?: string;
  readonly skipBadRows?: boolean;
  readonly allowMessage?: boolean;
  readonly unchangedEvery?: number;
  readonly concurrency: number;
  readonly maxTime?: number;
  readonly every?: number;
  readonly fresh?: boolean;
  readonly history?: string;
  readonly queue?: string;
  readonly keepEvidence?: number;
  readonly webhook?: string;
  readonly json?: boolean;
}

export const addFleetRun = (fleet: Command, screen: Screen, done: (code: ExitCode) => void): void => {
  const command = fleet
    .command("run", { isDefault: true })
    .description("Examine every agent of a list, each in a process of its own: one class for each, with its reason.")
    .argument("<list>", "agents.yaml, a CSV or NDJSON file, or the address of a registry's listing (docs/fleet.md)")
    .option(
      "--fleet <name>",
      "what the fleet is called: its sweeps are compared (the name in the list, or of it, unless given)",
    )
    .addOption(
      new Option("--format <name>", "how the list is written (by its ending, unless given)").choices([
        "yaml",
        "csv",
        "ndjson",
      ]),
    )
    .option("--json-path <path>", "where the addresses are in a listing of another shape, such as $.items[*].cardUrl")
    .option("--skip-bad-rows", "go on without the rows that cannot be read; they are told all the same")
    .option(
      "--allow-message",
      "send one plain message to each agent, which may be a model call that costs its owner money",
    )
    .option(
      "--unchanged-every <span>",
      "examine an agent whose card did not change only after this long, such as 7d (in every sweep unless given)",
      span,
    )
    .option("--concurrency <n>", "examine so many agents at a time", atLeastOne, 4)
    .option(
      "--max-time <span>",
      "end the sweep after this long; agents that had no turn are not examined (never unless given)",
      span,
    )
    .option("--every <span>", "begin a sweep this often, such as 24h, until interrupted (once unless given)", span)
    .option("--fresh", "begin a new sweep, though the last one was interrupted (it goes on with that one unless given)")
    .option(
      "--queue <address>",
      "hand the agents to workers (assay worker) by a queue on redis://…, rediss://… or postgres://…; env:NAME or @file where it holds a password",
    )
    .option(
      "--history <address>",
      "where verdicts and reports are kept: sqlite:<file> or postgres://…, env:NAME or @file (.assay/history.db unless given)",
    )
    .option(
      "--keep-evidence <span>",
      "let go of reports and exchanges after this long; verdicts stay (never unless given)",
      span,
    )
    .option("--webhook <url>", "where agents that became worse are told, as JSON; env:NAME or @file")
    .option("--json", "print what came of the sweep as JSON, and nothing else");
  addExaminerFlags(addOptions(command, { depth }))
    .addHelpText(
      "after",
      `
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
    )
    .action(async (list: string, flags: FleetFlags) => {
      const { runFleet } = await import("../actions/fleet.ts");
      done(await runFleet(list, flags, screen));
    });
};

/** One agent of a fleet: what the processes are started with, and no one else. */
export const addExamineAgent: AddCommand = (program, screen, done) => {
  program
    .command("examine-agent", { hidden: true })
    .argument("<way>")
    .action(async (way: string) => {
      const { examineAgent } = await import("../fleet/examine-agent.ts");
      done(await examineAgent(JSON.parse(way), screen));
    });
};
