import { type Project, projectsFor, type Settings, settingsOf } from "@assay/library/config";
import { RunFolder } from "@assay/library/runs";
import { createMasker } from "@assay/wire";
import type { TestFlags } from "../commands/test.ts";
import { type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { type ReportTarget, takesOutput, targetsOf } from "../report-targets.ts";
import type { Screen } from "../terminal/screen.ts";
import type { TestDependencies, TestInvocation } from "../testing/invocation.ts";
import { testOnce } from "../testing/one-run.ts";
import { repeat } from "../testing/repeat.ts";
import { addressOfRun, failedLastTime, runToResume } from "../testing/run-to-resume.ts";
import { testSeveral } from "../testing/several.ts";
import { watch } from "../testing/watch.ts";

/** Runs `assay test`: tests the agent, shows the findings, writes the reports, and returns the exit code. */
export async function runTest(
  url: string | undefined,
  flags: TestFlags,
  screen: Screen,
  lab?: TestDependencies,
): Promise<ExitCode> {
  refuseTogether(flags);
  if (flags.list) return (await import("./list.ts")).listChecks(flags, screen);
  const projects = projectsFor(url, flags);
  const folderOfRuns = lab?.folder ?? new RunFolder();
  // A resumed run uses its recorded agent, unless the call or assay.yaml names one.
  const given = url ?? (flags.resume && !projects[0]?.url ? addressOfRun(flags.resume, folderOfRuns) : undefined);
  const formats = await import("@assay/reporters");
  const reporters = lab?.reporters ?? (await formats.loadReporters());
  const targets = targetsOf(
    [...(flags.report ?? []), ...(flags.json && !flags.dryRun ? ["json"] : [])],
    flags.procedure ? formats.procedureReporters : reporters,
  );
  const people = targets.some(takesOutput) ? screen.aside() : screen;
  const [first, ...others] = projects;
  const test = async (project: Project, own: readonly ReportTarget[]): Promise<ExitCode> => {
    const told = await settingsOf(given, flags, screen, project);
    const { testAgent, folder } = lab ?? (await usualLab(told));
    // Recordings contain the address with its secrets masked.
    const address = createMasker(told.options.secrets ?? []).text(told.url);
    const only = flags.failed ? failedLastTime(address, folder) : undefined;
    if (only?.length === 0) {
      people.line("Nothing failed in the last run, so there is nothing to test again.");
      return exitCodes.fine;
    }
    const resumes = flags.resume && runToResume(flags.resume, address, folder);
    const options = { ...told.options, ...(only && { only }), ...(resumes && { resumes }) };
    const settings = { ...told, options };
    const agent = others.length ? project.name : undefined;
    const invocation: TestInvocation = {
      ...{ settings, flags, testAgent, reporters, folder, targets: own, screen, people },
      ...(agent !== undefined && { agent }),
    };
    if (flags.dryRun) return (await import("../testing/dry-run.ts")).dryRun(invocation);
    if (flags.watch) return watch(invocation);
    return flags.repeat === undefined ? (await testOnce(invocation)).code : repeat(invocation, flags.repeat);
  };
  return others.length ? testSeveral(projects, { flags, targets, people, test }) : test(first!, targets);
}

/** Rejects flags that contradict each other. */
function refuseTogether(flags: TestFlags): void {
  const apart = flags.procedure
    ? withoutProcedure.filter((name) => flags[name] !== undefined && flags[name] !== false)
    : [];
  if (apart.length)
    throw new UsageError(
      `--procedure cannot be combined with ${apart.map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`).join(", ")}`,
      "Its results are not A2A conformance results. Omit --procedure to use these options.",
    );
  refuseOthersTogether(flags);
}

/** Options about A2A conformance, which has no effect on the procedure. */
const withoutProcedure = [
  "only",
  "skip",
  "failed",
  "baseline",
  "baselineUpdate",
  "requireLevel",
  "minExamined",
  "history",
  "repeat",
  "watch",
  "dryRun",
  "resume",
] as const satisfies readonly (keyof TestFlags)[];

function refuseOthersTogether({
  failed,
  repeat: times,
  watch: watching,
  only,
  baselineUpdate,
  ...more
}: TestFlags): void {
  if (more.dryRun && (times !== undefined || watching || baselineUpdate || more.report))
    throw new UsageError(
      "--dry-run cannot be combined with options that report, repeat or watch a run",
      "Use --json to print the requests as JSON.",
    );
  if (more.resume && (failed || times !== undefined || watching || more.dryRun))
    throw new UsageError("--resume cannot be combined with --failed, --repeat, --watch or --dry-run");
  if (failed && only) throw new UsageError("--failed and --only cannot be combined: each selects the rules");
  if (failed && baselineUpdate)
    throw new UsageError("--baseline-update needs a complete run, so it cannot be combined with --failed");
  if (times !== undefined && watching) throw new UsageError("--repeat and --watch cannot be combined");
}

async function usualLab({ options }: Settings): Promise<Pick<TestDependencies, "testAgent" | "folder">> {
  const { selectChecks, testAgent } = await import("@assay/suite");
  // A filter without a match is probably misspelt, so Assay reports it before it sends anything.
  selectChecks(options);
  return { testAgent, folder: new RunFolder() };
}
