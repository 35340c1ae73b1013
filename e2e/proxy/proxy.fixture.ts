import { type JudgingProxyOptions, openProxy, type PassedCall, type Sight } from "@assay/proxy";
import { type ConformanceReport, type ConformanceResult, foldRun, type RunEvent, resultsOf } from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";

/** A proxy before an agent, and all that it told. */
export interface ProxyUnderTest {
  readonly url: string;
  readonly events: RunEvent[];
  readonly sights: Sight[];
  /** Closes it, and gives the report. */
  end(): Promise<{ readonly report: ConformanceReport; readonly results: readonly ConformanceResult[] }>;
}

export async function proxyBefore(agent: string, more: Partial<JudgingProxyOptions> = {}): Promise<ProxyUnderTest> {
  const events: RunEvent[] = [];
  const sights: Sight[] = [];
  const proxy = await openProxy({
    url: agent,
    host: "127.0.0.1",
    port: 0,
    run: "proxy",
    version: "test",
    connection: { guard: createEgressGuard({ trustedHosts: [new URL(agent).hostname] }) },
    record: (event) => events.push(event),
    show: (sight) => sights.push(sight),
    ...more,
  });
  return {
    url: proxy.url,
    events,
    sights,
    async end() {
      await proxy.close();
      const report = foldRun(events);
      return { report, results: resultsOf(report) };
    },
  };
}

export const callsIn = (sights: readonly Sight[]): PassedCall[] => sights.filter((sight) => sight.is === "call");

/** What is held against a party, on a line each. */
export const accusations = (results: readonly ConformanceResult[]): string[] =>
  results
    .filter(({ verdict, warning }) => verdict === "fail" || warning !== undefined)
    .map(
      ({ party = "agent", test, dialect, interface: on, verdict, message, warning, saw }) =>
        `${party} ${test} ${dialect} ${on?.binding} ${verdict}: ${message ?? warning} (${saw})`,
    );
