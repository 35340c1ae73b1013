import type { TestFlags } from "../commands/test.ts";
import { type Project, projectsFor } from "../config/project.ts";
import { type Settings, settingsOf } from "../config/settings.ts";
import type { ExitCode } from "../exit.ts";
import { RunFolder } from "../recorded/run-folder.ts";
import { type ReportTarget, takesOutput, targetsOf } from "../report-targets.ts";
import type { Screen } from "../terminal/screen.ts";
import type { TestDependencies, TestInvocation } from "../testing/invocation.ts";
import { testOnce } from "../testing/one-run.ts";
import { testSeveral } from "../testing/several.ts";
import { watch } from "../testing/watch.ts";

/** The whole command: test the agent, show what is found, leave the reports, and say how it went. */
export async function runTest(
  url: string | undefined,
  flags: TestFlags,
  screen: Screen,
  lab?: TestDependencies,
): Promise<ExitCode> {
  if (flags.list) return (await import("./list.ts")).listChecks(flags, screen);
  const projects = projectsFor(url, flags);
  const reporters = lab?.reporters ?? (await import("@assay/reporters")).reporters;
  const targets = targetsOf([...(flags.report ?? []), ...(flags.json ? ["json"] : [])], reporters);
  const people = targets.some(takesOutput) ? screen.aside() : screen;
  const test = async (project: Project, own: readonly ReportTarget[]): Promise<ExitCode> => {
    const settings = await settingsOf(url, flags, screen, project);
    const { testAgent, folder } = lab ?? (await usualLab(settings));
    const invocation: TestInvocation = { settings, flags, testAgent, reporters, folder, targets: own, screen, people };
    return flags.watch ? watch(invocation) : (await testOnce(invocation)).code;
  };
  const [only, ...others] = projects;
  return others.length ? testSeveral(projects, { flags, targets, people, test }) : test(only!, targets);
}

async function usualLab({ options }: Settings): Promise<Pick<TestDependencies, "testAgent" | "folder">> {
  const { selectChecks, testAgent } = await import("@assay/suite");
  const { checkedFilter } = await import("./list.ts");
  // A filter that matches nothing is a typing mistake, and is better said before anything is sent.
  checkedFilter(options, selectChecks);
  return { testAgent, folder: new RunFolder() };
}
