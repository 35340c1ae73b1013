import { setTimeout as pause } from "node:timers/promises";
import type { Findings } from "./findings.ts";
import type { SoakedServer } from "./soaked-server.ts";

/** Adds a finding if the server has ended or written errors. */
export function judgeServer(server: Pick<SoakedServer, "ended" | "complaints">, findings: Findings): void {
  const ended = server.ended();
  if (ended !== undefined) findings.add({ kind: "ended", what: ended });
  if (server.complaints() !== "") findings.add({ kind: "complaint", what: server.complaints().slice(0, 2_000) });
}

/** Waits until a gauge falls to a value, to check that the server keeps nothing of clients that have left. */
export async function expectFall(
  server: Pick<SoakedServer, "gauge" | "ended">,
  gauge: "assay_streams" | "assay_connections",
  to: number,
  findings: Findings,
  patienceMs = 10_000,
): Promise<void> {
  let left = Number.NaN;
  const until = performance.now() + patienceMs;
  do {
    // A server that has ended has no gauges, and `judgeServer` reports its end.
    if (server.ended() !== undefined) return;
    left = await server.gauge(gauge);
    if (left <= to) return;
    await pause(Math.min(100, patienceMs / 10));
  } while (performance.now() < until);
  findings.add({ kind: "left", what: `${gauge} stays at ${left}` });
}
