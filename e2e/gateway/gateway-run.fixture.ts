import { type GatewayRunOptions, testGateway } from "@assay/gateway";
import { type ConformanceReport, foldRun, type RunEvent, resultsOf } from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";
import { freePort } from "../fixtures/free-port.fixture.ts";
import type { Gateway } from "./planted-gateway.fixture.ts";

/** Starts a gateway and lists what Assay reports on it. */
export async function judgedThrough(
  start: (upstreamPort: number) => Promise<Gateway>,
  depth: GatewayRunOptions["depth"] = "quick",
): Promise<string[]> {
  const port = await freePort();
  const gateway = await start(port);
  try {
    return oddIn(await testThrough(gateway.url, port, depth));
  } finally {
    await gateway.close();
  }
}

/** Examines the gateway at an address that leads to this port. */
async function testThrough(
  through: string,
  upstreamPort: number,
  depth: GatewayRunOptions["depth"],
): Promise<ConformanceReport> {
  const events: RunEvent[] = [];
  const run = testGateway({
    through,
    upstream: { host: "127.0.0.1", port: upstreamPort },
    run: "test",
    version: "test",
    depth,
    connection: { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }) },
  });
  for await (const event of run) events.push(event);
  return foldRun(events);
}

/** Lists what is broken, changed or not examined, except for what needs another depth. Sorted, each once. */
function oddIn(report: ConformanceReport): string[] {
  const odd = resultsOf(report).flatMap(({ test, verdict, info, unexamined, message }) => {
    if (unexamined === "depth" || (verdict === "pass" && info === undefined)) return [];
    if (verdict === "fail") return [`${test} broken`];
    return [`${test} ${verdict === "pass" ? `changed: ${info}` : `${verdict}: ${message}`}`];
  });
  return [...new Set(odd)].toSorted();
}
