import { type ConformanceReport, type ExchangeRecorded, foldRun, type RunEvent } from "@assay/suite/report";
import { httpArchive } from "@assay/suite/text";
import { get } from "../../app/api.ts";
import { exchangeLine } from "../../documents/exchange-line.ts";
import type { ExchangePage } from "../../documents/runs.ts";

/** A run from any source. Its report is available at once, its exchanges are loaded on demand. */
export interface RunSource {
  readonly report: ConformanceReport;
  /** Returns true if this exchange is available. A file may contain only the exchanges that prove a finding. */
  holds(id: string): boolean;
  exchange(id: string): Promise<ExchangeRecorded>;
  exchanges(from: number, count: number): Promise<ExchangePage>;
  /** Saves these exchanges as an HTTP archive. */
  saveHar(ids: readonly string[]): void;
  /** the address of the report in other formats; absent without a server */
  readonly reports?: (format: string) => string;
}

/** Returns a run below `.assay/runs`, which the server reads. */
export function servedRun(report: ConformanceReport): RunSource {
  const base = `/api/runs/${encodeURIComponent(report.run)}` as const;
  const known = new Map<string, Promise<ExchangeRecorded>>();
  const file = (format: string): string => `${base}/reports/${format}`;
  return {
    report,
    holds: () => true,
    exchange(id) {
      const asked = known.get(id) ?? get<ExchangeRecorded>(`${base}/exchanges/${encodeURIComponent(id)}`);
      known.set(id, asked);
      return asked;
    },
    exchanges: (from, count) => get(`${base}/exchanges?from=${from}&count=${count}`),
    saveHar(ids) {
      const query = new URLSearchParams(ids.map((id) => ["exchange", id]));
      save(`${file("har")}?${query}`, `${report.run}.har`);
    },
    reports: file,
  };
}

/** Returns a run whose data is already in the page: from a dropped file or an exported site. */
export function heldRun(events: readonly RunEvent[], report: ConformanceReport = foldRun(events)): RunSource {
  const all = events.filter((event): event is ExchangeRecorded => event.event === "exchange");
  const byId = new Map([...(report.exchanges ?? []).map(recorded), ...all].map((exchange) => [exchange.id, exchange]));
  const listed = [...byId.values()];
  return {
    report,
    holds: (id) => byId.has(id),
    async exchange(id) {
      const found = byId.get(id);
      if (found) return found;
      throw new Error(
        "This file contains the results, but not this exchange. The run itself (NDJSON) has all exchanges.",
      );
    },
    exchanges: async (from, count) => ({
      total: listed.length,
      from,
      lines: listed.slice(from, from + count).map(exchangeLine),
    }),
    saveHar(ids) {
      const text = httpArchive(
        listed.filter(({ id }) => ids.includes(id)),
        report.tool,
      );
      const url = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
      save(url, `${report.run}.har`);
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    },
  };
}

const recorded = (exchange: Omit<ExchangeRecorded, "event">): ExchangeRecorded => ({ event: "exchange", ...exchange });

function save(href: string, name: string): void {
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
}
