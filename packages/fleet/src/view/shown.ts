import { type ConformanceReport, resultsOf } from "@assay/suite/report";
import type { FleetVerdict } from "../ledger/verdict.ts";
import type { FleetReport, FleetRow } from "../report/document.ts";
import type { FleetSource } from "../report/make.ts";

/** One fleet of a list: its newest sweep. */
export interface FleetLine {
  readonly fleet: string;
  readonly startedAt: string;
  readonly agents: number;
  /** the page of the fleet, on a site of files */
  readonly page?: string;
}

/** An agent of the league; labels are the operator's own and are not shown. */
export type ShownRow = Omit<FleetRow, "labels"> & {
  /** its page, on a site of files */
  readonly page?: string;
};

/** A report in the form that pages show. */
export type ShownFleet = Omit<FleetReport, "agents"> & { readonly agents: readonly ShownRow[] };

/** Everything that a page shows about one agent. */
export interface ShownAgent {
  readonly fleet: string;
  readonly row: ShownRow;
  /** masked and short */
  readonly evidence?: string;
  /** the findings, without passed results */
  readonly report?: ConformanceReport;
  /** its verdicts, newest first */
  readonly earlier: readonly EarlierVerdict[];
  /** how its owner can reach the operator */
  readonly contact?: string;
  readonly hallmark?: ShownHallmark;
  /** the address of its badge */
  readonly badge?: string;
}

export type EarlierVerdict = Pick<FleetVerdict, "at" | "class" | "level" | "outcome" | "examined"> & {
  readonly message: string;
};

/** The address of an agent's hallmark, or the reason why it has none. */
export type ShownHallmark =
  | { readonly is: "none"; readonly because: string }
  | {
      readonly is: "signed";
      readonly issuer: string;
      /** ISO 8601 */
      readonly until: string;
      /** addresses */
      readonly jws: string;
      readonly report: string;
      readonly keys: string;
    };

const shownRow = ({ labels: _, ...row }: FleetRow, page?: string): ShownRow => ({
  ...row,
  ...(page !== undefined && { page }),
});

/** `pageOf` gives the page of an agent on a site of files. */
export const shownFleet = (report: FleetReport, pageOf?: (agent: string) => string): ShownFleet => ({
  ...report,
  agents: report.agents.map((row) => shownRow(row, pageOf?.(row.agent))),
});

/** Verdicts of an agent that its page shows. */
const mostEarlier = 10;

/** The facts about one agent of a report. */
export async function shownAgent(
  { fleet }: Pick<FleetReport, "fleet">,
  row: FleetRow,
  source: Pick<FleetSource, "agent" | "report">,
  evidence?: string,
): Promise<ShownAgent> {
  const report = row.run === undefined ? undefined : await source.report(row.run);
  const earlier = await source.agent(fleet, row.agent, mostEarlier);
  return {
    fleet,
    row: shownRow(row),
    ...(evidence !== undefined && { evidence }),
    ...(report && { report: withoutPasses(report) }),
    earlier: earlier.map(({ at, class: named, level, outcome, examined, reason }) => ({
      at,
      class: named,
      ...(level !== undefined && { level }),
      ...(outcome && { outcome }),
      ...(examined && { examined }),
      message: reason.message,
    })),
  };
}

/** Removes passed results, which are most of a report's 350 kB. */
function withoutPasses(report: ConformanceReport): ConformanceReport {
  const categories = Object.fromEntries(
    Object.entries(report.categories).map(([name, results]) => [
      name,
      results.filter(({ verdict, warning }) => (verdict !== "pass" && verdict !== "not-applicable") || warning),
    ]),
  ) as unknown as ConformanceReport["categories"];
  const shown = new Set(
    resultsOf({ categories }).flatMap(({ verdict, evidence }) => (verdict === "not-examined" ? [] : evidence)),
  );
  const exchanges = report.exchanges?.filter(({ id }) => shown.has(id));
  return { ...report, categories, ...(exchanges && { exchanges }) };
}
