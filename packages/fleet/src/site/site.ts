import { drawnBadge } from "@assay/reporters";
import { cut, dateText } from "@assay/suite/text";
import { type ViewerAssets, viewerAssets, viewerPage } from "@assay/viewer";
import { classFacts } from "../classes/agent-class.ts";
import { addressText } from "../hallmark/address-text.ts";
import { jwksOf } from "../hallmark/keys.ts";
import type { FleetReport, FleetRow } from "../report/document.ts";
import type { FleetSource } from "../report/make.ts";
import { fleetMarkdown } from "../report/markdown.ts";
import { headlineOf, sweepText } from "../report/report-text.ts";
import { type ShownAgent, type ShownHallmark, shownAgent, shownFleet } from "../view/shown.ts";
import { toneOf } from "../view/tone.ts";
import { agentFile, badgeFile, hallmarkFile, keysFile, reportFile, slugOf } from "./addresses.ts";
import { type AgentHallmark, type HallmarkSigning, hallmarkOf } from "./hallmarks.ts";

const outcomes = { pass: "conformant", fail: "not-conformant", none: "inconclusive" } as const;

/** A badge for the agent's README: class, level, share examined and date. It shows no text from the agent. */
function fleetBadge(row: FleetRow): string {
  const { class: named, level, examined, at } = row;
  const share = examined && examined.of > 0 ? Math.floor((100 * examined.rules) / examined.of) : 0;
  const words = [
    classFacts(named).words,
    ...(level && level !== "non-conformant" ? [level] : []),
    ...(examined && examined.rules > 0 ? [`${share} % examined`] : []),
    at.slice(0, 10),
  ];
  return drawnBadge(words, outcomes[toneOf(row)]);
}

export interface FleetSiteOptions {
  /** how owners of agents can reach the operator */
  readonly contact?: string | undefined;
  /** the key for hallmarks; without it, agents get none */
  readonly signing?: HallmarkSigning | undefined;
  readonly now: Date;
}

/** A file of the site, by its path. */
type SiteFile = readonly [path: string, text: string];

/** A mark that identifies a page of this site. */
const generator = "assay fleet";

/** Returns true if an index page was made by this module. */
export const isFleetSite = (index: string): boolean => index.includes(`<meta name="generator" content="${generator}">`);

/** Returns the fleet as one self-contained page: the league and the changes, without pages of agents. */
export const fleetHtml = (report: FleetReport): string => indexPage(report, undefined);

/**
 * Yields the files of a fleet's site: an index, the hallmarks, and a page and a badge for each agent. It handles one
 * agent at a time, so a fleet of any size fits into memory. All pages share one copy of the viewer, and need no server
 * or network.
 */
export async function* fleetSite(
  report: FleetReport,
  source: FleetSource,
  options: FleetSiteOptions,
): AsyncGenerator<SiteFile> {
  yield ["index.html", indexPage(report, "")];
  yield* viewerAssets;
  if (options.signing) yield [keysFile, `${JSON.stringify(jwksOf([options.signing.key.trusted]), null, 2)}\n`];
  const evidence = new Map(
    (await source.verdicts(report.sweep.sweep)).map(({ agent, reason }) => [agent, reason.evidence]),
  );
  for (const row of report.agents) yield* filesOf(row, evidence.get(row.agent), report, source, options);
}

const api = (...path: readonly string[]): string => ["/api/fleets", ...path.map(encodeURIComponent)].join("/");
const place = (...path: readonly string[]): string => ["#/fleet", ...path.map(encodeURIComponent)].join("/");

function lineOf({ fleet, sweep, agents }: FleetReport, page?: string) {
  return { fleet, startedAt: sweep.startedAt, agents: agents.length, ...(page !== undefined && { page }) };
}

/** If `assets` is undefined, the page is self-contained. */
const indexPage = (report: FleetReport, assets: ViewerAssets | undefined): string =>
  viewerPage({
    title: `${cut(report.fleet, 80)}: ${headlineOf(report)} · Assay`,
    start: place(report.fleet),
    data: {
      [api()]: [lineOf(report)],
      [api(report.fleet)]: shownFleet(report, assets === undefined ? undefined : agentFile),
    },
    summary: fleetMarkdown(report),
    generator,
    assets,
  });

async function* filesOf(
  row: FleetRow,
  evidence: string | undefined,
  fleet: FleetReport,
  source: FleetSource,
  { contact, signing, now }: FleetSiteOptions,
): AsyncGenerator<SiteFile> {
  const { agent, run } = row;
  const shown = await shownAgent(fleet, row, source, evidence);
  // Only the report of a working agent's own verdict can earn a hallmark.
  const earned = signing && row.class === "working" && run !== undefined ? await source.report(run) : undefined;
  const hallmark = signing && (await hallmarkOf(earned, signing, now));
  const all: ShownAgent = {
    ...shown,
    ...(contact !== undefined && { contact }),
    ...(hallmark && { hallmark: shownHallmark(agent, hallmark) }),
    badge: `../${badgeFile(agent)}`,
  };
  yield [agentFile(agent), agentPage(all, fleet)];
  yield [badgeFile(agent), fleetBadge(row)];
  if (hallmark?.is !== "signed") return;
  yield [hallmarkFile(agent), hallmark.jws];
  yield [reportFile(agent), hallmark.report];
}

const agentPage = (shown: ShownAgent, fleet: FleetReport): string =>
  viewerPage({
    title: `${cut(shown.row.agent, 100)}: ${classFacts(shown.row.class).words} · Assay`,
    start: place(fleet.fleet, "agent", slugOf(shown.row.agent)),
    data: { [api()]: [lineOf(fleet, "../index.html")], [api(fleet.fleet, "agents", slugOf(shown.row.agent))]: shown },
    summary: agentSummary(shown, fleet),
    generator,
    assets: "../",
  });

const agentSummary = ({ row, evidence, contact }: ShownAgent, fleet: FleetReport): string =>
  [
    `${row.agent}: ${classFacts(row.class).words}`,
    row.url,
    row.reason.message,
    row.reason.remedy,
    ...(evidence === undefined ? [] : [`Seen: ${cut(evidence, 4_000)}`]),
    ...(row.broken?.length ? [`Broken rules: ${row.broken.join(", ")}`] : []),
    `Looked at ${dateText(row.at)}. ${sweepText(fleet)}.`,
    ...(contact === undefined ? [] : [`Contact: ${contact}`]),
  ].join("\n\n");

const shownHallmark = (agent: string, hallmark: AgentHallmark): ShownHallmark =>
  hallmark.is === "none"
    ? hallmark
    : {
        is: "signed",
        issuer: addressText(hallmark.claims.iss),
        until: new Date(hallmark.claims.exp * 1000).toISOString(),
        jws: `../${hallmarkFile(agent)}`,
        report: `../${reportFile(agent)}`,
        keys: `../${keysFile}`,
      };
