import { parse } from "node:path";
import type { Project } from "@assay/library/config";
import { AssayError } from "@assay/protocol/assay-error";
import { formatsWith } from "@assay/reporters/formats";
import { flagOf } from "@assay/suite/options";
import type { TestFlags } from "../commands/test.ts";
import { complainOf, type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { plural } from "../phrases.ts";
import { type ReportTarget, takesOutput } from "../report-targets.ts";
import type { Screen } from "../terminal/screen.ts";

interface SeveralTests {
  readonly flags: TestFlags;
  readonly targets: readonly ReportTarget[];
  readonly people: Screen;
  /** tests one of the agents, and writes its own reports */
  readonly test: (project: Project, targets: readonly ReportTarget[]) => Promise<ExitCode>;
}

/** Tests the agents of assay.yaml one after the other. A usage error for one of them does not stop the others. */
export async function testSeveral(
  projects: readonly Project[],
  { flags, targets, people, test }: SeveralTests,
): Promise<ExitCode> {
  refuse(flags, projects, targets);
  const codes = new Map<string, ExitCode>();
  for (const project of projects) {
    const name = project.name!;
    // Do not print the address here: its secrets are masked only after its settings are read.
    people.line(`agent ${name}`);
    const code = await test(
      project,
      targets.map((target) => named(target, name)),
    ).catch((error: unknown) => {
      if (error instanceof AssayError) return complainOf(error, people);
      throw error;
    });
    codes.set(name, code);
    people.line();
    if (code === exitCodes.interrupted) break;
  }
  for (const [name, code] of codes) people.line(`agent ${name}: exit ${code}`);
  return gravest([...codes.values()]);
}

/** The exit codes, most serious first. Several runs return the first one that occurs. */
const gravity = [exitCodes.ours, exitCodes.interrupted, exitCodes.usage, exitCodes.agent] as const;

export const gravest = (codes: readonly ExitCode[]): ExitCode =>
  gravity.find((code) => codes.includes(code)) ?? exitCodes.fine;

/** Returns the target for one agent: "out/assay.xml" becomes "out/assay.maps.xml" for the agent maps. */
function named(target: ReportTarget, name: string): ReportTarget {
  if (target.file === undefined) return target;
  const { dir, name: stem, ext } = parse(target.file);
  return { ...target, file: `${dir === "" ? "" : `${dir.replace(/\/$/, "")}/`}${stem}.${name}${ext}` };
}

/** Options that belong to one agent: an address, a process, credentials, known failures. */
const ownFlags = [
  ...["card", "start", "watch", "baseline", "since", "trustHosts"],
  ...["bearer", "basic", "apiKey", "headers", "oauthClient", "cert", "key"],
] as readonly (keyof TestFlags)[];

/** Formats whose reports can follow each other in one output. */
const inARow = formatsWith("follows");

function refuse(flags: TestFlags, projects: readonly Project[], targets: readonly ReportTarget[]): void {
  const own = ownFlags.find((name) => flags[name]);
  if (own)
    throw new UsageError(
      `${flagOf(own)} applies to one agent, but assay.yaml has ${plural(projects.length, "agent")}`,
      `Choose one: --agent ${projects[0]!.name}; or move it to that agent in assay.yaml.`,
    );
  if (flags.baselineUpdate && projects.some(({ baseline }) => baseline === undefined))
    throw new UsageError("--baseline-update: each agent in assay.yaml needs its own baseline");
  const spoken = targets.find((target) => takesOutput(target) && !inARow.includes(target.format));
  if (spoken)
    throw new UsageError(
      `--report ${spoken.format}: several agents have several reports, but stdout takes one`,
      `Name a file, to which Assay adds the name of each agent: --report ${spoken.format}=out/assay`,
    );
}
