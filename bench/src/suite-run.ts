import { testAgent } from "@assay/suite";
import { type Depth, foldRun, type RunEvent } from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";

/** One run in a process of its own, so that its memory can be told: prints what it cost, or all its events. */
const [url, depth, mode] = process.argv.slice(2);
const startedAt = performance.now();
const events: RunEvent[] = [];
let exchanges = 0;
for await (const event of testAgent({
  url: url!,
  run: "bench",
  version: "bench",
  depth: depth as Depth,
  connection: { guard: createEgressGuard({ trustedHosts: [new URL(url!).hostname] }) },
  headers: [["Authorization", "Bearer agentbin-test-token"]],
})) {
  if (mode === "--events") process.stdout.write(`${JSON.stringify(event)}\n`);
  // As the command line does: exchanges go to disk, what is kept is what the report needs.
  else if (event.event === "exchange") exchanges += 1;
  else events.push(event);
}
if (mode !== "--events") {
  const { summary } = foldRun(events);
  const cost = {
    seconds: (performance.now() - startedAt) / 1000,
    messages: summary.workingMessages,
    exchanges,
    megabytes: process.resourceUsage().maxRSS / 1024,
    examined: summary.examined,
    applicable: summary.applicable,
    failed: summary.failed,
  };
  process.stdout.write(JSON.stringify(cost));
}
