import { setTimeout as pause } from "node:timers/promises";
import type { Findings } from "./findings.ts";
import type { SoakedServer } from "./soaked-server.ts";
import { grows, type MemorySample, type Trend, trendOf } from "./trend.ts";

/** Growth that is not yet a leak, in MB per minute after the warm-up, beyond the uncertainty of the slope. */
const memoryBounds = { heap: 2, resident: 8 } as const;

type Measure = keyof typeof memoryBounds;

export interface MemoryReport {
  readonly trend: Trend;
  readonly bound: number;
  /** memory in MB after the warm-up, at its peak, and at the end */
  readonly from: number;
  readonly most: number;
  readonly to: number;
}

/** The share of a run in which code is compiled and stores fill up. Its memory and latencies are not judged. */
export const warmUp = 0.4;
/** Number of memory samples: enough for a trend, and few, because each collection stops the server. */
const samplesPerRun = 50;

/** Samples the memory of a server and its open streams until the signal aborts. */
export async function watchMemory(
  server: SoakedServer,
  minutes: number,
  enough: AbortSignal,
): Promise<{ heap: MemoryReport; resident: MemoryReport; openStreams: number[] }> {
  const began = performance.now();
  const everyMs = Math.max(500, (minutes * 60_000) / samplesPerRun);
  const series: Record<Measure, MemorySample[]> = { heap: [], resident: [] };
  const openStreams: number[] = [];
  while (!enough.aborted && server.ended() === undefined) {
    const memory = await server.usage();
    const at = (performance.now() - began) / 60_000;
    for (const measure of ["heap", "resident"] as const)
      series[measure].push({ minutes: at, megabytes: memory[measure] });
    if (at > minutes * warmUp) openStreams.push(await server.gauge("assay_streams"));
    await pause(everyMs, undefined, { signal: enough }).catch(() => {});
  }
  const settled = (measure: Measure): MemorySample[] =>
    series[measure].filter((sample) => sample.minutes >= minutes * warmUp);
  return { heap: reportOf("heap"), resident: reportOf("resident"), openStreams };

  function reportOf(measure: Measure): MemoryReport {
    const samples = settled(measure);
    const megabytes = samples.map((sample) => sample.megabytes);
    return {
      trend: trendOf(samples),
      bound: memoryBounds[measure],
      from: megabytes[0] ?? Number.NaN,
      most: Math.max(...megabytes),
      to: megabytes.at(-1) ?? Number.NaN,
    };
  }
}

/** A shorter run is all warm-up: its slope is reported but never judged. */
const judgedFromMinutes = 2;

export function judgeMemory(what: Measure, { trend, bound }: MemoryReport, minutes: number, findings: Findings): void {
  if (minutes < judgedFromMinutes || !grows(trend, bound)) return;
  const slope = `${trend.megabytesPerMinute.toFixed(2)} ± ${trend.uncertainty.toFixed(2)} MB a minute`;
  findings.add({ kind: "grown", what: `${what} memory grows by ${slope}, and may by ${bound}` });
}
