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
  /** of the good clients, before and behind the abuse */
  readonly quiet: { readonly p50: number; readonly p99: number };
  readonly abused: LatencyRow;
  /** how many times the latency is that of quiet */
  readonly ratio: { readonly p50: number; readonly p99: number };
  /** seconds of processor that the server took in a second of the abuse: the rest of what good clients waited for is the machine's */
  readonly busy: number;
  /** MB of the server behind the abuse */
  readonly resident: number;
  readonly counts: Partial<Record<BreachKind, number>>;
  readonly breaches: readonly Breach[];
}

/** Good clients are to wait no longer than so many times as long as when nobody abuses the server. */
export const mostRatio = 3;

/** The good clients keep some connections, the attackers none. */
const mayStay = 20;

/** Plays all abuses on a server, one after the other, and holds what good clients feel against how it is without them. */
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
