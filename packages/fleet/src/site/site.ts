import { jwksOf } from "../hallmark/keys.ts";
import type { FleetReport, FleetRow } from "../report/document.ts";
import type { FleetSource } from "../report/make.ts";
import { agentFile, badgeFile, hallmarkFile, keysFile, reportFile } from "./addresses.ts";
import { agentData } from "./agent-data.ts";
import { agentPage } from "./agent-page.ts";
import { fleetBadge } from "./badge.ts";
import { type HallmarkSigning, hallmarkOf } from "./hallmarks.ts";
import { indexPage } from "./index-page.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";

export interface FleetSiteOptions {
  /** how owners of agents reach the operator */
  readonly contact?: string | undefined;
  /** without it, agents get no hallmarks */
  readonly signing?: HallmarkSigning | undefined;
  readonly now: Date;
}

/** A file of the site, by its path. */
export type SiteFile = readonly [path: string, text: string];

/** Verdicts of an agent that its page shows. */
const mostHistory = 10;

/**
 * A fleet as a folder of files: an index, a page and a badge for each agent, the hallmarks. One agent after the other, so that a
 * fleet of any size fits into memory. No server and no network is needed to look at it.
 */
export async function* fleetSite(
  report: FleetReport,
  source: FleetSource,
  options: FleetSiteOptions,
): AsyncGenerator<SiteFile> {
  yield ["index.html", indexPage(report)];
  yield ["agents.js", agentData(report)];
  yield ["script.js", script];
  yield ["style.css", style];
  if (options.signing) yield [keysFile, `${JSON.stringify(jwksOf([options.signing.key.trusted]), null, 2)}\n`];
  const evidence = new Map(
    (await source.verdicts(report.sweep.sweep)).map(({ agent, reason }) => [agent, reason.evidence]),
  );
  for (const row of report.agents) yield* filesOf(row, evidence.get(row.agent), report, source, options);
}

async function* filesOf(
  row: FleetRow,
  evidence: string | undefined,
  fleet: FleetReport,
  source: FleetSource,
  { contact, signing, now }: FleetSiteOptions,
): AsyncGenerator<SiteFile> {
  const { agent, run } = row;
  const report = run === undefined ? undefined : await source.report(run);
  const history = await source.agent(fleet.fleet, agent, mostHistory);
  // A report of something else than this verdict speaks of earns nothing.
  const hallmark = signing && (await hallmarkOf(row.class === "working" ? report : undefined, signing, now));
  yield [agentFile(agent), agentPage({ row, evidence, report, history, hallmark }, fleet, contact)];
  yield [badgeFile(agent), fleetBadge(row)];
  if (hallmark?.is !== "signed") return;
  yield [hallmarkFile(agent), hallmark.jws];
  yield [reportFile(agent), hallmark.report];
}
