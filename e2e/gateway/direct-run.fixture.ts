import { type GatewayRunOptions, testGateway } from "@assay/gateway";
import { type ConformanceReport, type RunEvent, resultsOf } from "@assay/suite/report";
import { createEgressGuard, type HeaderPairs } from "@assay/wire";
import { reportOf } from "./gateway-run.fixture.ts";
import type { Gateway } from "./planted-gateway.fixture.ts";
import { type RandomAgent, type RandomAgentOptions, startRandomAgent } from "./random-agent.fixture.ts";

export interface DirectRunOptions {
  readonly through: string;
  readonly direct: string;
  readonly depth?: GatewayRunOptions["depth"];
  readonly headers?: HeaderPairs;
  readonly rude?: boolean;
}

/** Compares an agent with itself behind a gateway. */
export async function compareDirectly({
  through,
  direct,
  depth = "quick",
  headers = [],
  rude = false,
}: DirectRunOptions): Promise<{ report: ConformanceReport; events: readonly RunEvent[] }> {
  const events: RunEvent[] = [];
  const run = testGateway({
    through,
    upstream: { host: "127.0.0.1", port: 0 },
    run: "test",
    version: "test",
    depth,
    headers,
    connection: { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }) },
    direct: { direct: { url: direct, headers }, text: "Reply with the word OK.", rude },
  });
  for await (const event of run) events.push(event);
  return { report: reportOf(events), events };
}

/** Lists what is broken or changed. */
export const reportedIn = (report: ConformanceReport): string[] => {
  const lines = resultsOf(report).flatMap(({ test, verdict, info, message, interface: on }) =>
    verdict === "fail"
      ? [`${test} ${on?.binding ?? "card"}: ${message}`]
      : info === undefined
        ? []
        : [`${test} ${info}`],
  );
  return [...new Set(lines)].toSorted();
};

export const brokenIn = ({ report }: Pick<Examined, "report">): string[] =>
  [...new Set(resultsOf(report).flatMap(({ test, verdict }) => (verdict === "fail" ? [test] : [])))].toSorted();

export interface Examined {
  readonly report: ConformanceReport;
  readonly events: readonly RunEvent[];
  readonly agent: RandomAgent;
}

type Setting = RandomAgentOptions & Pick<DirectRunOptions, "depth" | "headers" | "rude">;

/** Examines an agent directly and through a gateway that `start` puts in front of it. */
export async function examined(start: (port: number) => Promise<Gateway>, setting: Setting): Promise<Examined> {
  let gateway: Gateway | undefined;
  const agent = await startRandomAgent({ publicUrl: () => gateway!.url, ...setting });
  gateway = await start(agent.port);
  try {
    return { ...(await compareDirectly({ ...setting, through: gateway.url, direct: agent.url })), agent };
  } finally {
    await gateway.close();
    await agent.close();
  }
}
