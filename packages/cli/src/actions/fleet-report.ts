import { type FleetReport, fleetHtml, fleetMarkdown, fleetReport, fleetSite, type HallmarkSigning } from "@assay/fleet";
import { version } from "@assay/library/version";
import { didYouMean } from "@assay/protocol/core";
import { jsonText } from "@assay/protocol/escape";
import type { FleetReportFlags } from "../commands/fleet.ts";
import { blaming, type ExitCode, exitCodes, UsageError } from "../exit.ts";
import { ledgerToRead } from "../fleet/open-stores.ts";
import { tellFleetReport } from "../fleet/tell-report.ts";
import { writeSite } from "../fleet/write-site.ts";
import { issuerOf } from "../hallmark/issuer.ts";
import { signingKeyOf } from "../hallmark/key-files.ts";
import { ownRevocations } from "../hallmark/revocation-list.ts";
import { reasonOf, writeFile } from "../report-targets.ts";
import type { Screen } from "../terminal/screen.ts";

const formats: Readonly<Record<string, (report: FleetReport) => string>> = {
  json: (report) => `${jsonText(report, 2)}\n`,
  markdown: fleetMarkdown,
  html: fleetHtml,
};

interface Target {
  readonly format: string;
  readonly file?: string;
}

/** The whole command: reads the ledger, and writes what was asked for; without that, tells it. */
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
