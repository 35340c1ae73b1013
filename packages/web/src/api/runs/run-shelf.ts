import { profiles, runForecast } from "@assay/suite/forecast";
import {
  type ConformanceReport,
  type ExchangeRecorded,
  foldRun,
  type RunEvent,
  runHeadline,
} from "@assay/suite/report";
import type { ExchangePage, RunLine } from "@assay/viewer/documents";
import { exchangeLine } from "@assay/viewer/documents";
import type { KeptRuns, KnownRuns } from "../../server/lab.ts";

/** The maximum number of runs to keep in memory: users look at one run after the other. */
const held = 3;

export interface ShelvedRun {
  /** empty for a run that only the history has */
  readonly events: readonly RunEvent[];
  readonly report: ConformanceReport;
  readonly exchanges: readonly ExchangeRecorded[];
}

/** The saved runs, read on demand, and the runs that only the history has. */
export class RunShelf {
  readonly #kept: KeptRuns;
  readonly #history: KnownRuns | undefined;
  readonly #open = new Map<string, ShelvedRun>();
  readonly #lines = new Map<string, RunLine>();

  constructor(kept: KeptRuns, history?: KnownRuns) {
    this.#kept = kept;
    this.#history = history;
  }

  /** Returns a line for each run, newest first, without unreadable ones. */
  async list(): Promise<RunLine[]> {
    const recorded = this.#recorded();
    const names = new Set(recorded.map(({ run }) => run));
    const known = (await this.#history?.list()) ?? [];
    const gone = known.filter(({ run }) => !names.has(run)).map((line): RunLine => ({ ...line, isReportOnly: true }));
    return [...recorded, ...gone].toSorted((a, b) => (a.testDate < b.testDate ? 1 : a.testDate > b.testDate ? -1 : 0));
  }

  #recorded(): RunLine[] {
    const names = this.#kept.list().toReversed();
    return names.flatMap((name) => {
      const known = this.#lines.get(name);
      if (known) return [known];
      const report = this.#report(name);
      if (!report) return [];
      const line = runHeadline(report);
      // A run that is in progress or incomplete may still change, so it is read again.
      if (report.ending !== "cut-off") this.#lines.set(name, line);
      return [line];
    });
  }

  has(run: string): boolean {
    return this.#kept.list().includes(run);
  }

  /** Returns a whole run, or only its report if the recording is missing, or undefined if the run does not exist. */
  async open(run: string): Promise<ShelvedRun | undefined> {
    const recorded = this.#openRecorded(run);
    if (recorded) return recorded;
    const report = await this.#history?.report(run);
    // The history also finds runs by the beginning of their names.
    return report?.run === run ? { events: [], report, exchanges: [] } : undefined;
  }

  #openRecorded(run: string): ShelvedRun | undefined {
    const known = this.#open.get(run);
    if (known) return known;
    if (!this.has(run)) return undefined;
    const events = this.#kept.read(run);
    if (!events) return undefined;
    const named = reportNamed(run, events);
    const forecast = runForecast({ events, report: named }, profiles);
    const report = { ...named, ...(forecast && { forecast }) };
    const opened: ShelvedRun = {
      events,
      report,
      exchanges: events.filter((event): event is ExchangeRecorded => event.event === "exchange"),
    };
    if (report.ending === "cut-off") return opened;
    this.#open.set(run, opened);
    if (this.#open.size > held) this.#open.delete(this.#open.keys().next().value!);
    return opened;
  }

  #report(run: string): ConformanceReport | undefined {
    const events = this.#kept.read(run);
    return events && reportNamed(run, events);
  }
}

/** Returns the report of a run under the name of its file, so that a copied run has its own name. */
export const reportNamed = (run: string, events: readonly RunEvent[]): ConformanceReport => ({
  ...foldRun(events),
  run,
});

export const exchangePage = ({ exchanges }: ShelvedRun, from: number, count: number): ExchangePage => ({
  total: exchanges.length,
  from,
  lines: exchanges.slice(from, from + count).map(exchangeLine),
});
