import { writeFileSync } from "node:fs";
import { loadReporters } from "@assay/reporters";
import { smallHeap, testAgent } from "@assay/suite";
import { type Depth, foldRun, type RunEvent, timeSpent } from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";

const reporters = await loadReporters();

/**
 * Runs one test in a separate process, so that its memory can be measured, with the options of BENCH_OPTIONS. Prints
 * its cost. A third argument names the file for the schedule; `--events` prints all events instead.
 */
const [url, depth, mode] = process.argv.slice(2);
const startedAt = performance.now();
const events: RunEvent[] = [];
let exchanges = 0;
const keepSmall = smallHeap();

/** Drops the content of exchanges, like the command line, but keeps their times. */
function slim(event: RunEvent): RunEvent {
  if (event.event !== "exchange") return event;
  exchanges += 1;
  const { request, response, ...entry } = event.entry;
  const empty = { ...response, headers: [], content: { size: 0, mimeType: "", text: "" } };
  const { postData: _, ...bare } = request;
  return { ...event, entry: { ...entry, request: { ...bare, headers: [] }, response: empty } };
}

for await (const event of testAgent({
  url: url!,
  run: "bench",
  version: "bench",
  depth: depth as Depth,
  ...JSON.parse(process.env["BENCH_OPTIONS"] ?? "{}"),
  connection: { guard: createEgressGuard({ trustedHosts: [new URL(url!).hostname] }) },
})) {
  keepSmall(event);
  if (mode === "--events") process.stdout.write(`${JSON.stringify(event)}\n`);
  else events.push(slim(event));
}
if (mode !== "--events") {
  const report = foldRun(events);
  const { summary } = report;
  const cost = {
    seconds: (performance.now() - startedAt) / 1000,
    messages: summary.workingMessages,
    exchanges,
    megabytes: process.resourceUsage().maxRSS / 1024,
    processor: process.resourceUsage().userCPUTime / 1e6,
    examined: summary.examined,
    applicable: summary.applicable,
    failed: summary.failed,
    spent: timeSpent(events),
  };
  if (mode !== undefined) writeFileSync(mode, reporters.schedule({ events, report }));
  process.stdout.write(JSON.stringify(cost));
}
