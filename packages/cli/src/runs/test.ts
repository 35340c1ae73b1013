import type { TestFlags } from "../commands/test.ts";
import { type Settings, settingsOf } from "../config/settings.ts";
import type { ExitCode } from "../exit.ts";
import { RunFolder } from "../recorded/run-folder.ts";
import { takesOutput, targetsOf } from "../report-targets.ts";
import type { Screen } from "../terminal/screen.ts";
import type { TestDependencies, TestInvocation } from "../testing/invocation.ts";
import { testOnce } from "../testing/one-run.ts";
import { watch } from "../testing/watch.ts";

/** The whole command: test the agent, show what is found, leave the reports, and say how it went. */
export async function runTest(
  url: string | undefined,
  flags: TestFlags,
  screen: Screen,
  lab?: TestDependencies,
): Promise<ExitCode> {
  if (flags.list) return (await import("./list.ts")).listChecks(flags, screen);
  const settings = await settingsOf(url, flags, screen);
  const { testAgent, reporters, folder } = lab ?? (await usualLab(settings));
  const targets = targetsOf([...(flags.report ?? []), ...(flags.json ? ["json"] : [])], reporters);
  const isTaken = targets.some(takesOutput);
  const invocation: TestInvocation = {
    settings,
    flags,
    testAgent,
    reporters,
    folder,
    targets,
    screen,
    people: isTaken ? screen.aside() : screen,
  };
  return flags.watch ? watch(invocation) : (await testOnce(invocation)).code;
}

async function usualLab({ options }: Settings): Promise<TestDependencies> {
  const [{ selectChecks, testAgent }, { reporters }] = await Promise.all([
    import("@assay/suite"),
    import("@assay/reporters"),
  ]);
  const { checkedFilter } = await import("./list.ts");
  // A filter that matches nothing is a typing mistake, and is better said before anything is sent.
  checkedFilter(options, selectChecks);
  return { testAgent, reporters, folder: new RunFolder() };
}
