import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Breach, type BreachKind, Findings } from "../findings.ts";
import { expectFall, judgeServer } from "../judging-server.ts";
import type { LatencyRow } from "../latency-table.ts";
import { type SoakedServer, startSoakedServer } from "../soaked-server.ts";
import { abuses } from "./abuses.ts";
import { measureGoodClients } from "./good-clients.ts";
import type { AttackTally } from "./hostile-sockets.ts";

export interface AbuseReport {
  readonly abuse: string;
  readonly tally: AttackTally;
  /** latency of good clients, averaged over the times before and after the abuse */
  readonly quiet: { readonly p50: number; readonly p99: number };
  readonly abused: LatencyRow;
  /** the latency during the abuse, divided by the quiet one */
  readonly ratio: { readonly p50: number; readonly p99: number };
  /** processor seconds of the server per second of the abuse; the remaining latency is caused by the machine */
  readonly busy: number;
  /** resident memory of the server after the abuse, in MB */
  readonly resident: number;
  readonly counts: Partial<Record<BreachKind, number>>;
  readonly breaches: readonly Breach[];
}

/** Maximum ratio of a good client's latency with and without abuse. */
export const mostRatio = 3;

/** Number of connections that may remain open: those of the good clients, and none of the attackers. */
const mayStay = 20;

/** Runs all abuses on a server one after the other, and compares the latency of good clients with and without them. */
export async function sufferAbuses(
  address: string,
  seconds: number,
  progress: (abuse: string) => void,
): Promise<AbuseReport[]> {
  const server = await startSoakedServer(address, []);
  const warmingUp = new Findings();
  const quietly = (findings: Findings): Promise<LatencyRow> => measureGoodClients(server.url, seconds / 2, findings);
  try {
    await quietly(warmingUp);
    const reports: AbuseReport[] = [];
    let before = await quietly(warmingUp);
    for (const abuse of Object.keys(abuses)) {
      progress(abuse);
      const findings = new Findings();
      const attacker = startAttacker(server.port, abuse);
      await pause(Math.min(1_000, seconds * 100));
      const began = performance.now();
      const { cpu } = await server.usage();
      const abused = await measureGoodClients(server.url, seconds, findings);
      const tally = await attacker.stop();
      const busy = await busySince(server, cpu, began);
      await expectFall(server, "assay_connections", mayStay, findings);
      const after = await quietly(findings);
      const quiet = { p50: (before.p50 + after.p50) / 2, p99: (before.p99 + after.p99) / 2 };
      const ratio = { p50: abused.p50 / quiet.p50, p99: abused.p99 / quiet.p99 };
      judgeServer(server, findings);
      const { resident } = server.ended() === undefined ? await server.usage() : { resident: Number.NaN };
      const { counts, breaches } = findings;
      reports.push({ abuse, tally, quiet, abused, ratio, busy, resident, counts, breaches });
      before = after;
      if (server.ended() !== undefined) break;
    }
    return reports;
  } finally {
    await server.stop();
  }
}

async function busySince(server: SoakedServer, before: number, began: number): Promise<number> {
  if (server.ended() !== undefined) return Number.NaN;
  return ((await server.usage()).cpu - before) / ((performance.now() - began) / 1_000);
}

function startAttacker(port: number, abuse: string): { stop(): Promise<AttackTally> } {
  const script = fileURLToPath(new URL("./attacker.js", import.meta.url));
  const child = spawn(process.execPath, [script, String(port), abuse], { stdio: ["pipe", "pipe", "inherit"] });
  const said = once(createInterface(child.stdout), "line");
  return {
    async stop() {
      const closed = once(child, "close");
      child.stdin.end();
      const [line] = (await said) as [string];
      await closed;
      return JSON.parse(line) as AttackTally;
    },
  };
}
