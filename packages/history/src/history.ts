import { createHash } from "node:crypto";
import { deflateSync, inflateSync } from "node:zlib";
import { type Database, joined, migrate, openDatabase, type Query, raw, type Sql, sql } from "@assay/storage";
import {
  type ConformanceReport,
  type ConformanceResult,
  type RunHeadline,
  runHeadline,
  type VerdictName,
} from "@assay/suite/report";
import { historyMigrations } from "./schema.ts";

export interface HistoryQuery {
  readonly agentUrl?: string;
  /** only runs that began before this time, in milliseconds: for the next page of a list */
  readonly before?: number;
  readonly limit?: number;
}

/** The results of a rule in one run: a verdict for each version and binding. */
export interface RuleInRun {
  readonly run: RunHeadline;
  readonly verdicts: readonly {
    readonly verdict: VerdictName;
    readonly hasWarning: boolean;
    readonly dialect: string;
    readonly binding?: string;
  }[];
}

interface VerdictRow {
  readonly line: string;
  readonly verdict: VerdictName;
  readonly warned: number;
  readonly dialect: string;
  readonly binding: string | null;
}

const mostRuns = 1_000;
/** Limits the rows that one statement adds. */
const rowsAtOnce = 200;

export async function openHistory(address: string): Promise<History> {
  const database = await openDatabase(address);
  try {
    await migrate(database, "history", historyMigrations);
    return new History(database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Stores the runs of one machine or of many. */
export class History {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds a run, complete or so far; `bytes` is the size of its recording. */
  async add(report: ConformanceReport, bytes = 0): Promise<void> {
    await this.#database.transaction((tx) => addRun(tx, report, { bytes }));
  }

  /** Returns the headlines of the runs, newest first. */
  async runs({ agentUrl, before, limit = mostRuns }: HistoryQuery = {}): Promise<RunHeadline[]> {
    const rows = await this.#database.all<{ line: string }>(
      sql`select line from assay_runs r ${conditions(agentUrl, before)} order by at desc, run desc limit ${limit}`,
    );
    return rows.map(({ line }) => JSON.parse(line));
  }

  /** Returns the report of a run by its name or the beginning of it; the newest one if several match. */
  async report(run: string): Promise<ConformanceReport | undefined> {
    return (await this.reportNamed(run)) ?? this.#newestReport(sql`substr(r.run, 1, ${run.length}) = ${run}`);
  }

  /** Returns the report of the run with exactly this name. Uses an index, so it is fast even with many runs. */
  reportNamed(run: string): Promise<ConformanceReport | undefined> {
    return this.#newestReport(sql`r.run = ${run}`);
  }

  async #newestReport(which: Query): Promise<ConformanceReport | undefined> {
    const [row] = await this.#database.all<{ report: string }>(
      sql`select p.report from assay_runs r join assay_reports p on p.id = r.id where ${which} order by at desc limit 1`,
    );
    return row && unpacked(row.report);
  }

  /** Returns the results of a rule from run to run, newest first. Leaves out runs without a result of the rule. */
  async rule(rule: string, { agentUrl, before, limit = mostRuns }: HistoryQuery = {}): Promise<RuleInRun[]> {
    const rows = await this.#database.all<VerdictRow & { id: string }>(
      sql`select v.id, r.line, v.verdict, v.warned, v.dialect, v.binding
          from assay_verdicts v join (
            select id, line, at, run from assay_runs r ${conditions(agentUrl, before)} order by at desc limit ${limit}
          ) r on r.id = v.id
          where v.rule = ${rule} order by r.at desc, r.run desc, v.place`,
    );
    const runs = new Map<string, VerdictRow[]>();
    for (const row of rows) runs.set(row.id, [...(runs.get(row.id) ?? []), row]);
    return [...runs.values()].map((found) => ({
      run: JSON.parse(found[0]!.line) as RunHeadline,
      verdicts: found.map(({ verdict, warned, dialect, binding }) => ({
        verdict,
        hasWarning: warned === 1,
        dialect,
        ...(binding === null ? {} : { binding }),
      })),
    }));
  }

  /** Returns the size of each recording when its run was last added. */
  async sizes(): Promise<Map<string, number>> {
    const rows = await this.#database.all<{ run: string; bytes: number }>(
      sql`select run, max(bytes) as bytes from assay_runs group by run`,
    );
    return new Map(rows.map(({ run, bytes }) => [run, bytes]));
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

interface AddOptions {
  /** the size of its recording */
  readonly bytes?: number;
  /** leaves out rules that were not examined: the majority when many agents get few checks */
  readonly onlyExamined?: boolean;
}

/** Adds a run within a transaction, so that the run and the rows that refer to it are stored together or not at all. */
export async function addRun(
  tx: Sql,
  report: ConformanceReport,
  { bytes = 0, onlyExamined = false }: AddOptions = {},
): Promise<void> {
  const id = idOf(report);
  const line = JSON.stringify(runHeadline(report));
  const verdicts = verdictRows(id, report, onlyExamined);
  await tx.run(
    sql`insert into assay_runs (id, run, agent_key, at, bytes, line)
        values (${id}, ${report.run}, ${digestOf(report.agentUrl)}, ${Date.parse(report.testDate)}, ${bytes}, ${line})
        on conflict (id) do update set bytes = excluded.bytes, line = excluded.line`,
    sql`insert into assay_reports (id, report) values (${id}, ${packed(report)})
        on conflict (id) do update set report = excluded.report`,
  );
  await tx.run(sql`delete from assay_verdicts where id = ${id}`);
  for (let at = 0; at < verdicts.length; at += rowsAtOnce) {
    const rows = joined(verdicts.slice(at, at + rowsAtOnce), ", ");
    await tx.run(sql`insert into assay_verdicts (id, place, rule, verdict, warned, dialect, binding) values ${rows}`);
  }
}

/** Deletes the reports and verdicts of runs, and keeps their headlines. */
export async function forgetReports(tx: Sql, runs: readonly string[]): Promise<void> {
  const named = joined(
    runs.map((run) => sql`${run}`),
    ", ",
  );
  const ids = sql`select id from assay_runs where run in (${named})`;
  await tx.run(
    sql`delete from assay_reports where id in (${ids})`,
    sql`delete from assay_verdicts where id in (${ids})`,
  );
}

function conditions(agentUrl: string | undefined, before: number | undefined): Query {
  const asked = [
    ...(agentUrl === undefined ? [] : [sql`r.agent_key = ${digestOf(agentUrl)}`]),
    ...(before === undefined ? [] : [sql`r.at < ${before}`]),
  ];
  return asked.length === 0 ? raw("") : sql`where ${joined(asked, " and ")}`;
}

const idOf = ({ run, testDate, agentUrl, subject }: ConformanceReport): string =>
  digestOf(JSON.stringify([run, testDate, agentUrl, subject]));

/** Shortens an address, because it may be longer than an index allows. */
const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 22);

const verdictRows = (id: string, { categories }: ConformanceReport, onlyExamined: boolean): Query[] =>
  Object.values(categories)
    .flat()
    .filter(({ verdict }) => !onlyExamined || verdict === "pass" || verdict === "fail")
    .map(
      ({ test, verdict, warning, dialect, interface: on }: ConformanceResult, place) =>
        sql`(${id}, ${place}, ${test}, ${verdict}, ${warning === undefined ? 0 : 1}, ${dialect}, ${on?.binding ?? null})`,
    );

/** Compresses a report to about a tenth, because it repeats the same texts many times. */
const packed = (report: ConformanceReport): string => deflateSync(JSON.stringify(report)).toString("base64");
const unpacked = (text: string): ConformanceReport =>
  JSON.parse(inflateSync(Buffer.from(text, "base64")).toString()) as ConformanceReport;
