import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type AgentClass,
  type FleetReport,
  fleetHtml,
  fleetMarkdown,
  fleetReport,
  fleetSite,
  fleetWords,
  type HallmarkSigning,
  isFleetSite,
  siteFolders,
} from "@assay/fleet";
import { reasonOf } from "@assay/library/runs";
import { version } from "@assay/library/version";
import { didYouMean } from "@assay/protocol/core";
import { jsonText } from "@assay/protocol/escape";
import type { FleetReportFlags } from "../commands/fleet.ts";
import { blaming, type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { ledgerToRead } from "../fleet/open-stores.ts";
import { issuerOf } from "../hallmark/issuer.ts";
import { signingKeyOf } from "../hallmark/key-files.ts";
import { ownRevocations } from "../hallmark/revocation-list.ts";
import { writeFile } from "../report-targets.ts";
import type { Screen } from "../terminal/screen.ts";

/** The maximum number of lines of each list on the screen. */
const most = 10;

/** Prints a short report for the terminal. */
export function tellFleetReport(report: FleetReport, screen: Screen): void {
  const { colors } = screen;
  const { headlineOf, sweepText, shareText, changeText, changeWords, classFacts } = fleetWords;
  screen.line(colors.bold(`${report.fleet}: ${headlineOf(report)}`));
  screen.line([sweepText(report), shareText(report)].filter(Boolean).join("; "));
  screen.line();
  for (const [named, count] of Object.entries(report.classes))
    screen.line(`  ${String(count).padStart(6)}  ${classFacts(named as AgentClass).words}`);
  section(
    screen,
    report.comparedWith ? `Since ${report.comparedWith.startedAt.slice(0, 10)}` : "",
    report.changes,
    (change) => `${changeWords[change.kind].padEnd(10)} ${change.agent}  ${changeText(change)}`,
  );
  section(
    screen,
    "Most common failures",
    report.failures,
    ({ agents, rule, title }) => `${String(agents).padStart(6)}  ${rule}  ${title}`,
  );
  section(
    screen,
    "Why the other agents do not count as working",
    report.reasons,
    ({ agents, class: named, code, remedy }) =>
      `${String(agents).padStart(6)}  ${classFacts(named).words} (${code}): ${remedy}`,
  );
  section(
    screen,
    "By SDK",
    report.builtWith,
    ({ agents, name, classes }) => `${String(agents).padStart(6)}  ${name}, ${classes.working ?? 0} working`,
  );
}

function section<T>(screen: Screen, title: string, rows: readonly T[], text: (row: T) => string): void {
  if (rows.length === 0 || title === "") return;
  screen.line();
  screen.line(screen.colors.bold(title));
  for (const row of rows.slice(0, most)) screen.line(`  ${text(row)}`);
  if (rows.length > most) screen.line(`  and ${rows.length - most} more: --report markdown, or --out <folder>`);
}

/**
 * Writes a site file by file and returns the number of files. It then removes files of an earlier site that this one
 * does not have, because they show outdated results.
 */
export async function writeSite(
  folder: string,
  files: AsyncIterable<readonly [path: string, text: string]>,
): Promise<number> {
  const left = earlierFiles(folder);
  const made = new Set<string>();
  let count = 0;
  for await (const [path, text] of files) {
    const file = join(folder, path);
    if (!made.has(dirname(file))) mkdirSync(dirname(file), { recursive: true });
    made.add(dirname(file));
    writeFileSync(file, text);
    left.delete(file);
    count += 1;
  }
  for (const file of left) rmSync(file);
  return count;
}

/** Returns the files of an earlier site. Refuses to overwrite a page that Assay did not write. */
function earlierFiles(folder: string): Set<string> {
  const index = join(folder, "index.html");
  if (!existsSync(index)) return new Set();
  if (!isFleetSite(readFileSync(index, "utf8")))
    throw new UsageError(`--out: ${index} exists and was not written by Assay`, "Choose another folder.");
  return new Set(
    siteFolders
      .map((name) => join(folder, name))
      .filter((each) => existsSync(each))
      .flatMap((each) => readdirSync(each).map((file) => join(each, file))),
  );
}

const formats: Readonly<Record<string, (report: FleetReport) => string>> = {
  json: (report) => `${jsonText(report, 2)}\n`,
  markdown: fleetMarkdown,
  html: fleetHtml,
};

interface Target {
  readonly format: string;
  readonly file?: string;
}

/** Runs `assay fleet report`: reads the ledger and writes the requested reports, or prints one if there are none. */
export async function reportFleet(flags: FleetReportFlags, screen: Screen): Promise<ExitCode> {
  const targets = targetsOf(flags.report ?? []);
  const signing = await signingOf(flags);
  const ledger = await ledgerToRead(flags.history, screen);
  try {
    const report = await fleetReport(ledger, { fleet: flags.fleet, sweep: flags.sweep, version }).catch(
      blaming("assay fleet report"),
    );
    const people = targets.some(({ file }) => file === undefined) ? screen.aside() : screen;
    if (targets.length === 0 && flags.out === undefined) tellFleetReport(report, screen);
    const isWhole = targets.map((target) => written(target, report, screen, people)).every(Boolean);
    if (flags.out !== undefined) {
      const site = fleetSite(report, ledger, { contact: flags.contact, signing, now: new Date() });
      const count = await writeSite(flags.out, site);
      people.line(`${flags.out}/index.html and ${count - 1} more files: ${report.agents.length} agents`);
    }
    return isWhole ? exitCodes.fine : exitCodes.ours;
  } finally {
    await ledger.close();
  }
}

function targetsOf(given: readonly string[]): Target[] {
  const targets = given.map((text): Target => {
    const [format = "", ...rest] = text.split("=");
    const names = Object.keys(formats);
    if (!names.includes(format))
      throw new UsageError(
        `--report ${text}: unknown format "${format}".${didYouMean(format, names)}`,
        `Formats: ${names.join(", ")}`,
      );
    const file = rest.join("=");
    return { format, ...(file !== "" && { file }) };
  });
  if (targets.filter(({ file }) => file === undefined).length > 1)
    throw new UsageError("Only one report can go to stdout.", "Give the others a file: --report json=fleet.json");
  return targets;
}

function written({ format, file }: Target, report: FleetReport, screen: Screen, people: Screen): boolean {
  const text = formats[format]!(report);
  if (file === undefined) {
    screen.write(text);
    return true;
  }
  try {
    writeFile(file, text, 0o666);
    people.line(`  ${format}  ${file}`);
    return true;
  } catch (error) {
    people.complain(`assay: ${file}: ${reasonOf(error as NodeJS.ErrnoException)}`);
    return false;
  }
}

async function signingOf(flags: FleetReportFlags): Promise<HallmarkSigning | undefined> {
  const { hallmarkKey, issuer, validDays, revocations, out } = flags;
  if (hallmarkKey === undefined) {
    if (issuer !== undefined || revocations !== undefined)
      throw new UsageError("--issuer requires a key.", "Pass it: --hallmark-key @key.pem");
    return undefined;
  }
  if (issuer === undefined || out === undefined)
    throw new UsageError("--hallmark-key requires an issuer and a site.", "Add --issuer <name> and --out <folder>.");
  const key = await signingKeyOf("--hallmark-key", hallmarkKey);
  const list = revocations === undefined ? undefined : await ownRevocations("--revocations", revocations, key);
  const revoked = new Set(list?.revocations.revoked.map(({ id }) => id));
  return { key, issuer: issuerOf(issuer), days: validDays, revoked };
}
