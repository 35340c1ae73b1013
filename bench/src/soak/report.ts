import { type AbuseReport, mostRatio } from "./abuse/under-abuse.ts";
import { breachKinds } from "./findings.ts";
import type { MemoryReport } from "./memory-watch.ts";
import type { StoreReport } from "./soak-store.ts";

const ms = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2));
const many = (value: number): string => value.toLocaleString("en");

/** Formats the results of the load on one store as Markdown tables. */
export function storeText(report: StoreReport): string {
  const { store, seconds, streams, openStreams, fanOut, conversations, notifications, clientDelay } = report;
  return [
    `\n## ${store}, ${(seconds / 60).toFixed(1)} min\n`,
    `${openStreams} streams open at a time; ${many(streams.streams)} followed to their end with ${many(streams.events)} events, ${many(streams.rejoined)} of them left in the middle and subscribed to again`,
    `${many(fanOut.rounds)} tasks with ${many(fanOut.subscribers)} subscribers in all (${many(fanOut.late)} came too late), ${many(fanOut.events)} events; ${many(conversations)} conversations; ${many(notifications)} notifications`,
    memoryText("heap behind a collection", report.heap),
    memoryText("resident memory", report.resident),
    `the clients themselves were late by ${ms(clientDelay.p50)} ms (p50) and ${ms(clientDelay.p99)} ms (p99); ${(100 * report.busy.server).toFixed(0)} % of a processor for the server, ${(100 * report.busy.clients).toFixed(0)} % for the clients\n`,
    "| operation | calls | p50 ms | p99 ms | worst ms |",
    "|---|---:|---:|---:|---:|",
    ...report.latencies.map(
      ({ operation, count, p50, p99, worst }) =>
        `| ${operation} | ${many(count)} | ${ms(p50)} | ${ms(p99)} | ${ms(worst)} |`,
    ),
    "",
    ...breachLines(report),
  ].join("\n");
}

function memoryText(what: string, { trend, bound, from, most, to }: MemoryReport): string {
  const slope = `${trend.megabytesPerMinute.toFixed(2)} ± ${trend.uncertainty.toFixed(2)} MB/min`;
  return `${what}: ${slope} (at most ${bound}), ${from.toFixed(0)} MB behind the warm-up, ${most.toFixed(0)} at most, ${to.toFixed(0)} at the end`;
}

function breachLines({ counts, breaches }: Pick<StoreReport, "counts" | "breaches">): string[] {
  if (!breaches.length) return ["✓ nothing lost, doubled, out of order or refused"];
  return [
    ...Object.entries(counts).map(
      ([kind, count]) => `✗ ${many(count)}: ${breachKinds[kind as keyof typeof breachKinds]}`,
    ),
    ...breaches.map(({ kind, what }) => `  ${kind}: ${what}`),
  ];
}

/** Formats the effect of each abuse on good clients. */
export function abuseText(abuses: readonly AbuseReport[]): string {
  const rows = abuses.map(({ abuse, tally, quiet, abused, ratio, busy, resident }) => {
    const cells = [
      abuse,
      `${many(tally.attempts)} on ${many(tally.connections)}`,
      `${ms(quiet.p50)} → ${ms(abused.p50)}`,
      times(ratio.p50),
      `${ms(quiet.p99)} → ${ms(abused.p99)}`,
      times(ratio.p99),
      `${(100 * busy).toFixed(0)} %`,
      resident.toFixed(0),
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "\n## abuse\n",
    "| abuse | attempts on connections | p50 ms | times | p99 ms | times | server busy | MB |",
    "|---|---:|---:|---:|---:|---:|---:|---:|",
    ...rows,
    "",
    ...abuses.flatMap(({ abuse, ratio, ...found }) => [
      ...(found.breaches.length ? [abuse, ...breachLines(found)] : []),
      ...(ratio.p50 > mostRatio || ratio.p99 > mostRatio
        ? [`! ${abuse}: good clients waited more than ${mostRatio} times as long`]
        : []),
    ]),
  ].join("\n");
}

const times = (ratio: number): string => `${ratio.toFixed(1)}${ratio > mostRatio ? " !" : ""}`;
