import { type GatewayRunOptions, testGateway } from "@assay/gateway";
import { type ConformanceReport, foldRun, type RunEvent, resultsOf } from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";
import { expect } from "vitest";
import { freePort } from "../fixtures/free-port.fixture.ts";
import type { Gateway } from "./planted-gateway.fixture.ts";

type How = Pick<GatewayRunOptions, "depth" | "only">;
/** The default of the command. */
export const quick: How = { depth: "quick" };

/** Starts a gateway and lists what Assay reports on it. */
export const judgedThrough = async (start: (upstreamPort: number) => Promise<Gateway>, how?: How): Promise<string[]> =>
  oddIn(await examinedThrough(start, how));

/** Writes what a fault breaks as `judgedThrough` lists it. A longer line is not "broken". */
export const lineOf = (broken: string): string => (broken.includes(":") ? broken : `${broken} broken`);

/** Starts a gateway and lists what is not examined, with binding, version and reason. */
export async function unexaminedThrough(start: (upstreamPort: number) => Promise<Gateway>): Promise<string[]> {
  const results = resultsOf(await examinedThrough(start));
  return results.flatMap(({ test, verdict, message, interface: on }) =>
    verdict === "not-examined" ? [`${on?.binding} ${on?.dialect} ${test}: ${message}`] : [],
  );
}

/** Starts a gateway and examines it. */
export async function examinedThrough(
  start: (upstreamPort: number) => Promise<Gateway>,
  how: How = quick,
): Promise<ConformanceReport> {
  const port = await freePort();
  const gateway = await start(port);
  try {
    return await testThrough(gateway, port, how);
  } finally {
    await gateway.close();
  }
}

/** Examines a gateway that leads to this port. */
async function testThrough(
  { url, grpc, headers }: Gateway,
  upstreamPort: number,
  how: How,
): Promise<ConformanceReport> {
  const events: RunEvent[] = [];
  const run = testGateway({
    through: url,
    ...(grpc !== undefined && { grpcThrough: grpc }),
    ...(headers && { headers }),
    callbackThrough: `${url}/webhook`,
    upstream: { host: "127.0.0.1", port: upstreamPort },
    run: "test",
    version: "test",
    ...how,
    connection: { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }) },
  });
  for await (const event of run) events.push(event);
  return reportOf(events);
}

/** Returns the report of a run. Its progress line ends at the number of properties that the report has. */
export function reportOf(events: readonly RunEvent[]): ConformanceReport {
  const report = foldRun(events);
  const planned = events.find((event) => event.event === "planned");
  if (planned && report.ending === "done") expect(planned.rules).toBe(report.summary.applicable);
  return report;
}

/**
 * Lists what is broken, changed or not examined. Leaves out what needs another depth or is filtered out, and the properties of a protocol
 * that the gateway does not pass on. Sorted, each once.
 */
function oddIn(report: ConformanceReport): string[] {
  const odd = resultsOf(report).flatMap(({ test, dialect, verdict, info, unexamined, message }) => {
    const name = dialect === "1.0" ? test : `${test} in ${dialect}`;
    if (unexamined === "depth" || unexamined === "filter" || (verdict === "pass" && info === undefined)) return [];
    if (verdict === "fail") return [`${name} broken`];
    if (
      verdict === "not-examined" &&
      (test === "GW-STREAM-HTTP2" || /^the gateway passed (no|a gRPC call on over)/.test(message ?? ""))
    )
      return [];
    return [`${name} ${verdict === "pass" ? `changed: ${info}` : `${verdict}: ${message}`}`];
  });
  return [...new Set(odd)].toSorted();
}
