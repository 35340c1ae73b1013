import { projectsFor, settingsOf } from "@assay/library/config";
import { clientOptions } from "@assay/library/connection";
import { RunFolder } from "@assay/library/runs";
import { version } from "@assay/library/version";
import { defined } from "@assay/protocol";
import type { TestFlags } from "../commands/test.ts";
import type { UpgradeFlags } from "../commands/upgrade.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { earlierMatrix } from "../matrix/reports.ts";
import type { Screen } from "../terminal/screen.ts";
import type { TestInvocation } from "../testing/invocation.ts";
import { testOnce } from "../testing/one-run.ts";
import { PlanOutput } from "../upgrade/plan-output.ts";

/** The whole command: record a run, and write the plan, the check or the plan for a client. */
export async function runUpgrade(target: readonly string[], flags: UpgradeFlags, screen: Screen): Promise<ExitCode> {
  refuseTogether(target, flags);
  const output = new PlanOutput(flags, screen);
  return flags.client ? forClient(target, flags, output) : forAgent(target[0], flags, output);
}

function refuseTogether(target: readonly string[], { check, client, writeCard, writeBothCard }: UpgradeFlags): void {
  if (check && client) throw new UsageError("--check and --client cannot be combined", "Run one after the other.");
  if ((check || client) && (writeCard ?? writeBothCard) !== undefined)
    throw new UsageError(
      "--write-card and --write-both-card belong to the plan for an agent",
      "Omit --check and --client.",
    );
  if (client && target.length === 0)
    throw new UsageError("--client needs a command", "Write it after --: assay upgrade --client -- node my-client.js");
  if (!client && target.length > 1)
    throw new UsageError(
      `Only one agent at a time, but you named ${target.length}`,
      "For the command of a client, use --client.",
    );
}

async function forAgent(url: string | undefined, flags: UpgradeFlags, output: PlanOutput): Promise<ExitCode> {
  const { people, screen } = output;
  const { checkOf, checkPage, checkOptions, clientsOfMatrix, planOf, planPage, knownClients } = await import(
    "@assay/upgrade"
  );
  const clients = flags.matrix === undefined ? knownClients : clientsOfMatrix(earlierMatrix(flags.matrix));
  // The flags of this command that `assay test` has, too, have the same names and values.
  const asked: TestFlags = flags;
  const [project] = projectsFor(url, asked);
  const settings = await settingsOf(url, { ...asked, depth: "quick" }, screen, project!);
  // Settings of the project file that choose rules are about tests of conformance.
  const { only: _, skip: __, ...options } = settings.options;
  const { testAgent } = await import("@assay/suite");
  const chosen = flags.check ? { ...options, ...checkOptions, ...defined({ budget: options.budget }) } : options;
  return testRun({
    settings: { ...settings, options: chosen, gates: {}, baseline: [] },
    flags: asked,
    testAgent,
    ...output.invocation,
    concludes: ({ events }) => {
      if (flags.check) {
        const check = checkOf(events);
        output.write(check, checkPage(check));
        return { equivalent: exitCodes.fine, different: exitCodes.agent, unknown: exitCodes.usage }[check.outcome];
      }
      const plan = planOf(events, clients);
      if (!("format" in plan)) {
        people.complain(`assay: ${plan.message}`);
        people.complain(plan.hint);
        return exitCodes.usage;
      }
      output.write(plan, planPage(plan));
      output.writeCard(flags.writeCard, plan.cards.next);
      output.writeCard(flags.writeBothCard, plan.cards.both);
      return exitCodes.fine;
    },
  });
}

async function forClient(command: readonly string[], flags: UpgradeFlags, output: PlanOutput): Promise<ExitCode> {
  const { testClient } = await import("@assay/clients");
  const { clientPlanOf, clientPlanPage } = await import("@assay/upgrade");
  const url = command.join(" ");
  return testRun({
    settings: { url, options: { url, version, connection: clientOptions([], {}) }, gates: {}, baseline: [] },
    flags: { ...defined({ json: flags.json, record: flags.record, keep: flags.keep }) },
    ...output.invocation,
    leaves: "the client (killed)",
    testAgent: ({ run, signal }) =>
      testClient({
        command,
        env: process.env,
        version,
        run,
        ...defined({ bindings: flags.bindings, concurrency: flags.concurrency, signal }),
        ...(flags.taskTimeout !== undefined && { timeout: flags.taskTimeout * 1_000 }),
      }),
    concludes: ({ events }) => {
      const plan = clientPlanOf(events);
      output.write(plan, clientPlanPage(plan));
      if (plan.speaks.length === 0) return exitCodes.usage;
      return plan.isReady ? exitCodes.fine : exitCodes.agent;
    },
  });
}

async function testRun(invocation: Omit<TestInvocation, "reporters" | "folder" | "targets">): Promise<ExitCode> {
  const reporters = await (await import("@assay/reporters")).loadReporters();
  return (await testOnce({ ...invocation, reporters, folder: new RunFolder(), targets: [] })).code;
}
