import { version } from "@assay/library/version";
import { AssayError } from "@assay/protocol/assay-error";
import { Command, CommanderError } from "commander";
import { addActs } from "./commands/acts.ts";
import { addCard } from "./commands/card.ts";
import { addClient } from "./commands/client.ts";
import type { AddCommand } from "./commands/command.ts";
import { addCoverage } from "./commands/coverage.ts";
import { addDemo } from "./commands/demo.ts";
import { addDiff } from "./commands/diff.ts";
import { addExplain } from "./commands/explain.ts";
import { addExamineAgent, addFleet } from "./commands/fleet.ts";
import { addHallmark } from "./commands/hallmark.ts";
import { addInit } from "./commands/init.ts";
import { addInterop } from "./commands/interop.ts";
import { addMatrix } from "./commands/matrix.ts";
import { addProxy } from "./commands/proxy.ts";
import { addPush } from "./commands/push.ts";
import { addReplay } from "./commands/replay.ts";
import { addReport } from "./commands/report.ts";
import { addRuns } from "./commands/runs.ts";
import { addSend } from "./commands/send.ts";
import { addServe } from "./commands/serve.ts";
import { addCancel, addGet, addList, addSubscribe } from "./commands/tasks.ts";
import { addTest } from "./commands/test.ts";
import { addUi } from "./commands/ui.ts";
import { addVerify } from "./commands/verify.ts";
import { addWorker } from "./commands/worker.ts";
import { complainOf, type ExitCode, exitCodes } from "./exit.ts";
import { createScreen, type Screen } from "./terminal/screen.ts";

/** In the order in which people meet them. */
const commands = [
  addTest,
  addUi,
  addReport,
  addRuns,
  addDiff,
  addReplay,
  addExplain,
  addInit,
  addCoverage,
  addActs,
  addClient,
  addServe,
  addProxy,
  addInterop,
  addMatrix,
  addFleet,
  addWorker,
  addHallmark,
  addVerify,
  addSend,
  addGet,
  addList,
  addCancel,
  addSubscribe,
  addPush,
  addCard,
  addDemo,
  addExamineAgent,
] satisfies AddCommand[];

/** All commands with their flags; docs/cli.md is made from it. */
export function createProgram(screen: Screen, done: (code: ExitCode) => void): Command {
  const program = new Command("assay")
    .description(
      "The test lab of A2A: does an agent conform, what has to be fixed, and what do two parties really say?",
    )
    .version(version, "-V, --version")
    .showHelpAfterError("(assay --help shows what there is)")
    .exitOverride()
    .configureOutput({ writeOut: (text) => screen.write(text), writeErr: (text) => screen.complain(text.trimEnd()) })
    .addHelpText("after", examples);
  for (const add of commands) add(program, screen, done);
  for (const command of program.commands) command.exitOverride();
  return program;
}

/** Runs the command line and says how it went; only `bin` ends the process. */
export async function run(args: readonly string[], screen: Screen = createScreen()): Promise<number> {
  let code: ExitCode = exitCodes.fine;
  const program = createProgram(screen, (outcome) => {
    code = outcome;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.fine : exitCodes.usage;
    if (error instanceof AssayError) return complainOf(error, screen);
    screen.complain(`assay: this is our own fault: ${error instanceof Error ? error.message : String(error)}`);
    screen.complain("Please report it with the command you ran; ASSAY_DEBUG=1 shows where it happened.");
    if (process.env["ASSAY_DEBUG"] && error instanceof Error) screen.complain(error.stack ?? "");
    return exitCodes.ours;
  }
}

const examples = `
Examples:
  $ assay demo                                             a test of the built-in agent
  $ assay test http://127.0.0.1:9999                       does this agent conform, and what has to be fixed?
  $ assay explain STREAM-003                               what a rule asks, and what to do about it
  $ assay client -- node my-client.js                      does this client conform?
  $ assay serve                                            A2A agents on http://127.0.0.1:4040
  $ assay send http://127.0.0.1:4040/spec "streaming hi" --stream

Exit codes: 0 fine · 1 the agent is at fault · 2 wrong usage, or no agent answered · 3 our own error · 130 interrupted`;
