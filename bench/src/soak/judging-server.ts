import { setTimeout as pause } from "node:timers/promises";
import type { Findings } from "./findings.ts";
import type { SoakedServer } from "./soaked-server.ts";

/** Whether the server is there, and content. */
export function judgeServer(server: Pick<SoakedServer, "ended" | "complaints">, findings: Findings): void {
  const ended = server.ended();
  if (ended !== undefined) findings.add({ kind: "ended", what: ended });
  if (server.complaints() !== "") findings.add({ kind: "complaint", what: server.complaints().slice(0, 2_000) });
}

/** Clients that are gone leave nothing behind: a gauge of what they had comes down again. */
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
    // Whoever looks to a server that is gone finds nothing; that it is gone is told elsewhere.
    if (server.ended() !== undefined) return;
    left = await server.gauge(gauge);
    if (left <= to) return;
    await pause(Math.min(100, patienceMs / 10));
  } while (performance.now() < until);
  findings.add({ kind: "left", what: `${gauge} stays at ${left}` });
}
