// `npm run bench -- fleet-report [agents]`: measures how long the report and the site of a large fleet take and how
// large they are. Measures the opening time of the index if Chromium is installed. The reports are real, compressed as
// in the history.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { openingTimes } from "./opening-times.mjs";

const { startTestbed } = await import("../../packages/agents/dist/index.js");
const { testAgent } = await import("../../packages/suite/dist/index.js");
const { foldRun } = await import("../../packages/suite/dist/report/index.js");
const { loadReporters } = await import("../../packages/reporters/dist/index.js");
const { brokenRules, fleetMarkdown, fleetReport, fleetSite } = await import("../../packages/fleet/dist/index.js");
const { generateSigningKey, readSigningKey } = await import("../../packages/fleet/dist/hallmark/index.js");

const { progress, report: print, sized } = await import("../../bench/dist/results/report.js");
const { cellOf } = await import("../../bench/dist/results/rows.js");

const count = Number(process.argv[2] ?? sized({ short: 500, standard: 1_000, long: 10_000 }));
/** Returns the processor time of this process, because the clock says little on a busy machine. */
const cpu = () => Object.values(process.cpuUsage()).reduce((sum, each) => sum + each) / 1e6;
const reporters = await loadReporters();
const cells = [];
const tell = (name, unit, ...samples) =>
  void cells.push(cellOf({ name, column: "value", unit, better: "lower" }, samples));

const bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "0.0.0", timeScale: 0 });
const reports = {
  card: await reportOf("spec", "card"),
  whole: await reportOf("minimal", "quick"),
  broken: await reportOf("mutants/JSONRPC-009.own-code", "free"),
};
await bed.close(0);
const packed = new Map(Object.entries(reports).map(([name, report]) => [name, deflateSync(JSON.stringify(report))]));

/**
 * Of ten agents, three answer and were tested partly, one was tested completely, two break rules, and four are down.
 */
const kinds = ["card", "card", "card", "whole", "broken", "broken", "dead", "dead", "dead", "dead"];
const verdicts = (sweep, shift) =>
  Array.from({ length: count }, (_, index) => {
    const kind = kinds[(index + (index % 97 === 0 ? shift : 0)) % kinds.length];
    return { sweep, ...verdictOf(index, kind) };
  });
const sweepOf = (sweep, day) => ({
  ...{ sweep, fleet: "registry", startedAt: `2026-11-${day}T02:00:00.000Z`, endedAt: `2026-11-${day}T04:00:00.000Z` },
  agents: count,
});
const [now, before] = [verdicts("s2", 1), verdicts("s1", 0)];
const source = {
  sweeps: async () => [sweepOf("s2", 16), sweepOf("s1", 15)],
  verdicts: async (sweep) => (sweep === "s2" ? now : before),
  latest: async () => before,
  agent: async (_fleet, agent) => [now, before].map((all) => all[Number(agent.split("-").at(-1))]),
  report: async (run) => JSON.parse(inflateSync(packed.get(run)).toString()),
};

let began = cpu();
const report = await fleetReport(source, { version: "0.0.0" });
const [json, markdown] = [JSON.stringify(report), fleetMarkdown(report)];
tell("the report, processor", "s", cpu() - began);
tell("the report as JSON", "MB", json.length / 1e6);
tell("the report as Markdown", "MB", markdown.length / 1e6);
progress("the site");

const { pem } = await generateSigningKey("EdDSA");
const signing = { key: await readSigningKey(pem), issuer: "bench", days: 36_500, revoked: new Set() };
const folder = mkdtempSync(join(tmpdir(), "assay-bench-fleet-"));
began = cpu();
const sizes = {};
for await (const [path, text] of fleetSite(report, source, { now: new Date(), contact: "ops@example.com", signing })) {
  const part = path.includes("/") ? dirname(path) : path;
  sizes[part] = { files: (sizes[part]?.files ?? 0) + 1, bytes: (sizes[part]?.bytes ?? 0) + text.length };
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
tell("the site, processor", "s", cpu() - began);
tell("peak memory", "MB", (process.resourceUsage().maxRSS * 1024) / 1e6);
for (const [part, { files, bytes }] of Object.entries(sizes))
  tell(`${part}, ${files} ${files === 1 ? "file" : "files"}`, "MB", bytes / 1e6);
const opened = openingTimes(readFileSync(join(folder, "index.html"), "utf8"));
if (opened) tell("the index opened, beyond an empty page", "ms", ...opened);
else progress("Chromium is not installed: the index was not opened");
print(`Report and site of a fleet of ${count.toLocaleString("en")} agents`, cells);
rmSync(folder, { recursive: true });

async function reportOf(agent, depth) {
  const events = [];
  const options = { url: `${bed.url}/${agent}`, depth, run: agent, version: "0.0.0", connection: {} };
  for await (const event of testAgent(options)) events.push(event);
  return JSON.parse(reporters["json+evidence"]({ events, report: foldRun(events) }));
}

function verdictOf(index, kind) {
  const agent = `agent-${index}`;
  const about = {
    ...{ agent, url: `https://agents.example/${agent}/a2a`, labels: [], attempts: 1, duration_ms: 900, worker: "w" },
    at: "2026-11-16T03:00:00.000Z",
    reason: { code: kind, message: "What was seen.", remedy: "What to do.", evidence: "GET / → 200" },
  };
  if (kind === "dead") return { ...about, class: "unreachable" };
  const { outcome, conformanceLevel: level, summary } = reports[kind];
  return {
    ...about,
    ...{ class: kind === "broken" ? "rules-broken" : "working", outcome, level, run: kind },
    examined: { rules: summary.examined, of: summary.applicable },
    broken: brokenRules(reports[kind]),
    builtWith: { name: ["a2a-python", "a2a-js", "a2a-go"][index % 3], because: "its header" },
  };
}
