import { type TestOptions, testAgent } from "@assay/suite";
import { type ConformanceReport, foldRun, type RunEvent } from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";

/** Tests an agent on this machine with the defaults of the command line. */
export async function runOn(url: string, options: Partial<TestOptions>): Promise<ConformanceReport> {
  const events: RunEvent[] = [];
  const connection = { guard: createEgressGuard({ trustedHosts: [new URL(url).hostname] }) };
  for await (const event of testAgent({ url, run: "coverage", version: "coverage", connection, ...options }))
    if (event.event !== "exchange") events.push(event);
  return foldRun(events);
}
