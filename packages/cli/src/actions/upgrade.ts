import { projectsFor, settingsOf } from "@assay/library/config";
import { clientOptions } from "@assay/library/connection";
import { RunFolder } from "@assay/library/runs";
import { version } from "@assay/library/version";
import { defined } from "@assay/protocol";
import { flagOf } from "@assay/suite/options";
import type { TestFlags } from "../commands/test.ts";
import type { UpgradeFlags } from "../commands/upgrade.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { earlierMatrix } from "../matrix/reports.ts";
import type { Screen } from "../terminal/screen.ts";
import type { TestInvocation } from "../testing/invocation.ts";
import { testOnce } from "../testing/one-run.ts";
import { PlanOutput } from "../upgrade/plan-output.ts";

/** Runs `assay upgrade`: records a run, and writes the plan, the check or the plan for a client. */
export async function runUpgrade(target: readonly string[], flags: UpgradeFlags, screen: Screen): Promise<ExitCode> {
  refuseTogether(target, flags);
  const output = new PlanOutput(flags, screen);
  return flags.client ? forClient(target, flags, output) : forAgent(target[0], flags, output);
}

/** The options that the plan for a client uses. */
const clientFlags = [
  "report",
  "json",
  "redact",
  "record",
  "keep",
  "taskTimeout",
  "shutdownTimeout",
  "concurrency",
  "bindings",
];

/** Returns the options, as the user wrote them, that have no effect on the plan for a client. */
const unusedByClients = (flags: UpgradeFlags): string[] =>
  Object.entries(flags)
    .filter(([name, value]) => value !== undefined && !["to", "client", "config", ...clientFlags].includes(name))
    .map(([name]) => flagOf(name));

function refuseTogether(target: readonly string[], flags: UpgradeFlags): void {
  const { check, client, writeCard, writeBothCard } = flags;
  if (check && client) throw new UsageError("--check and --client cannot be combined", "Run one after the other.");
  if ((check || client) && (writeCard ?? writeBothCard) !== undefined)
    throw new UsageError(
      "--write-card and --write-both-card belong to the plan for an agent",
      "Omit --check and --client.",
    );
  if (client && target.length === 0)
    throw new UsageError("--client needs a command", "Write it after --: assay upgrade --client -- node my-client.js");
  const idle = client ? unusedByClients(flags) : [];
  if (idle.length)
    throw new UsageError(
      `${idle.join(", ")}: ${idle.length === 1 ? "this option belongs" : "these options belong"} to agents`,
      `With --client, use: ${clientFlags.map(flagOf).join(", ")}`,
    );
  if (!client && target.length > 1)
    throw new UsageError(
      `Only one agent at a time, but you named ${target.length}`,
      "For the command of a client, use --client.",
    );
}

const isRecorded = ({ record }: UpgradeFlags): boolean => record !== false;

async function forAgent(url: string | undefined, flags: UpgradeFlags, output: PlanOutput): Promise<ExitCode> {
  const { people, screen } = output;
  const { checkOf, checkPage, checkOptions, clientsOfMatrix, planOf, planPage, knownClients } = await import(
    "@assay/upgrade"
  );
  const clients = flags.matrix === undefined ? knownClients : clientsOfMatrix(earlierMatrix(flags.matrix));
  // Flags that `assay test` has too have the same names and values.
  const asked: TestFlags = flags;
  const [project] = projectsFor(url, asked);
  const settings = await settingsOf(url, { ...asked, depth: "quick" }, screen, project!);
  // Rule filters in the project file are for conformance tests, so they do not apply here.
  const { only: _, skip: __, ...options } = settings.options;
  const { testAgent } = await import("@assay/suite");
  const chosen = flags.check
    ? { ...options, ...checkOptions, ...defined({ budget: options.budget }) }
    : { ...options, olderOnly: true };
  return testRun({
    settings: { ...settings, options: chosen, gates: {}, baseline: [] },
    flags: asked,
    testAgent,
    ...output.invocation,
    concludes: ({ events }) => {
      if (flags.check) {
        const check = checkOf(events);
        output.write(check, checkPage(check, isRecorded(flags)));
        return { equivalent: exitCodes.fine, different: exitCodes.agent, unknown: exitCodes.usage }[check.outcome];
      }
      const plan = planOf(events, clients);
      if (!("format" in plan)) {
        people.complain(`assay: ${plan.message}`);
        people.complain(plan.hint);
        return exitCodes.usage;
      }
      output.write(plan, planPage(plan, isRecorded(flags)));
      output.writeCard(flags.writeCard, plan.cards.next);
      output.writeCard(flags.writeBothCard, plan.cards.both);
      return exitCodes.fine;
    },
  });
}

async function forClient(command: readonly string[], flags: UpgradeFlags, output: PlanOutput): Promise<ExitCode> {
  const { shownCommand, testClient } = await import("@assay/clients");
  const { clientPlanOf, clientPlanPage } = await import("@assay/upgrade");
  const { text: url } = shownCommand(command, process.env);
  const { Redactor } = await import("@assay/suite");
  const { json, record, keep, redact, shutdownTimeout, bindings, concurrency, taskTimeout } = flags;
  return testRun({
    settings: { url, options: { url, version, connection: clientOptions([], {}) }, gates: {}, baseline: [] },
    flags: { ...defined({ json, record, keep, shutdownTimeout }) },
    ...output.invocation,
    leaves: "the client (killed)",
    testAgent: async function* ({ run, signal }) {
      const redactor = redact ? new Redactor() : undefined;
      const tested = testClient({
        command,
        env: process.env,
        version,
        run,
        ...defined({ bindings, concurrency, signal }),
        ...(taskTimeout !== undefined && { timeout: taskTimeout * 1_000 }),
      });
      for await (const event of tested) yield redactor?.event(event) ?? event;
    },
    concludes: ({ events }) => {
      const plan = clientPlanOf(events);
      output.write(plan, clientPlanPage(plan, isRecorded(flags)));
      if (plan.speaks.length === 0) return exitCodes.usage;
      return plan.isReady ? exitCodes.fine : exitCodes.agent;
    },
  });
}

async function testRun(invocation: Omit<TestInvocation, "reporters" | "folder" | "targets">): Promise<ExitCode> {
  const reporters = await (await import("@assay/reporters")).loadReporters();
  return (await testOnce({ ...invocation, reporters, folder: new RunFolder(), targets: [] })).code;
}
