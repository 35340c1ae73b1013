import { version } from "@assay/library/version";
import { AssayError } from "@assay/protocol/assay-error";
import { defaultRuleSet } from "@assay/suite/options";
import { CommanderError } from "commander";
import { addActs } from "./commands/acts.ts";
import { addCard } from "./commands/card.ts";
import { addClient } from "./commands/client.ts";
import type { AddCommand } from "./commands/command.ts";
import { addCompletion } from "./commands/completion.ts";
import { addCoverage } from "./commands/coverage.ts";
import { addDemo } from "./commands/demo.ts";
import { addDiff } from "./commands/diff.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addExplain } from "./commands/explain.ts";
import { addExamineAgents, addFleet } from "./commands/fleet.ts";
import { addForecast } from "./commands/forecast.ts";
import { addGate } from "./commands/gate.ts";
import { addGateway } from "./commands/gateway.ts";
import { addHallmark } from "./commands/hallmark.ts";
import { AssayCommand, type Example, helpWidth } from "./commands/help.ts";
import { addInit } from "./commands/init.ts";
import { addInterop } from "./commands/interop.ts";
import { addMatrix } from "./commands/matrix.ts";
import { addMcp } from "./commands/mcp.ts";
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
import { addUpgrade } from "./commands/upgrade.ts";
import { addVerify } from "./commands/verify.ts";
import { addWorker } from "./commands/worker.ts";
import { complainOf, type ExitCode, exitCodes } from "./exit.ts";
import { createScreen, type Screen } from "./terminal/screen.ts";

export { linkToLauncher } from "./shutdown/stop-requests.ts";

/** The commands in the order of `assay --help`. */
const commands = [
  addTest,
  addClient,
  addForecast,
  addGate,
  addUi,
  addInit,
  addDemo,
  addActs,
  addExplain,
  addReport,
  addRuns,
  addDiff,
  addReplay,
  addCoverage,
  addDoctor,
  addCompletion,
  addServe,
  addProxy,
  addGateway,
  addMcp,
  addUpgrade,
  addCard,
  addSend,
  addGet,
  addList,
  addCancel,
  addSubscribe,
  addPush,
  addFleet,
  addWorker,
  addMatrix,
  addInterop,
  addHallmark,
  addVerify,
  addExamineAgents,
] satisfies AddCommand[];

/** Creates all commands with their flags; docs/cli.md is generated from it. */
export function createProgram(screen: Screen, done: (code: ExitCode) => void): AssayCommand {
  const program = new AssayCommand("assay")
    .description(
      "Assay tests A2A agents and clients for conformance. Every failure comes with the exchange, the rule it breaks, and how to fix it.",
    )
    .version(`${version} (rules ${defaultRuleSet})`, "-v, --version", "show the version and the rule set")
    .helpOption("-h, --help", "show this help")
    .showHelpAfterError('Run "assay --help" to see the commands.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => screen.write(text),
      writeErr: (text) => screen.complain(text.trimEnd()),
      getOutHelpWidth: () => Math.min(helpWidth, process.stdout.columns || helpWidth),
      getErrHelpWidth: () => Math.min(helpWidth, process.stderr.columns || helpWidth),
    })
    .helpText({ examples, notes: ['Run "assay <command> --help" for the options of a command.'], exitCodes: endings });
  for (const add of commands) add(program, screen, done);
  for (const command of program.commands) command.exitOverride();
  return program;
}

/** Runs the command line and returns its exit code. Only `bin` ends the process. */
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
    screen.complain(`assay: internal error: ${error instanceof Error ? error.message : String(error)}`);
    screen.complain("Report it with the command you ran and its output. Set ASSAY_DEBUG=1 to see the stack trace.");
    if (process.env["ASSAY_DEBUG"] && error instanceof Error) screen.complain(error.stack ?? "");
    return exitCodes.ours;
  }
}

/** Runs the command line as this process, and sets its exit code. */
export async function runProcess(args: readonly string[]): Promise<void> {
  // A rejected promise without a handler is an internal error. Node would exit with 1, which means "not conformant".
  // Instead, the run continues and reports its findings.
  let stumbled = false;
  process.on("unhandledRejection", (error) => {
    stumbled = true;
    process.stderr.write(`assay: internal error: ${error instanceof Error ? error.message : error}\n`);
  });
  const code = await run(args);
  process.exitCode = code === 0 && stumbled ? exitCodes.ours : code;
}

const examples: readonly Example[] = [
  ["assay demo", "take a tour of 30 seconds"],
  ["assay test http://127.0.0.1:9999", "test your agent"],
  ["assay explain STREAM-003", "explain a rule and its fix"],
  ["assay client -- node my-client.js", "test your client"],
  ["assay serve", "start agents to build against"],
];

const endings = {
  0: "success",
  1: "the agent or client is at fault",
  2: "wrong usage, or no agent answered",
  3: "internal error",
  130: "interrupted",
  143: "ended by SIGTERM without cleaning up",
};
