import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import type { Gauges } from "./metrics.ts";

const resolutionMs = 20;

/**
 * Measures the process. The event loop is monitored from the first reading on, so that unread metrics cost
 * nothing.
 */
export function processGauges(version: string): Gauges {
  let delay: IntervalHistogram | undefined;
  /** Subtracts the resolution of the measuring timer. */
  const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1_000);
  const lag = (read: (from: IntervalHistogram) => number) => (): number => {
    if (!delay) {
      delay = monitorEventLoopDelay({ resolution: resolutionMs });
      delay.enable();
      return 0;
    }
    return delay.count === 0 ? 0 : seconds(read(delay));
  };
  return {
    assay_build_info: () => [{ labels: { version, node: process.version }, value: 1 }],
    process_resident_memory_bytes: () => process.memoryUsage.rss(),
    process_heap_bytes: () => process.memoryUsage().heapUsed,
    process_cpu_seconds_total: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
    process_start_time_seconds: () => Date.now() / 1_000 - process.uptime(),
    nodejs_eventloop_lag_p50_seconds: lag((from) => from.percentile(50)),
    nodejs_eventloop_lag_p99_seconds: lag((from) => from.percentile(99)),
    nodejs_eventloop_lag_max_seconds: lag((from) => {
      const { max } = from;
      from.reset();
      return max;
    }),
  };
}
