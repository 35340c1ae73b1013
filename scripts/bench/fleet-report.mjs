// `npm run bench -- fleet-report [agents]`: how long the report and the site of a large fleet take (10,000 agents unless told), how large they
// are, and how long the index takes to open in Chromium where that is installed. Reports are real ones, packed as the history has them.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";

const { startTestbed } = await import("../../packages/agents/dist/index.js");
const { testAgent } = await import("../../packages/suite/dist/index.js");
const { foldRun } = await import("../../packages/suite/dist/report/index.js");
const { reporters } = await import("../../packages/reporters/dist/index.js");
const { brokenRules, fleetMarkdown, fleetReport, fleetSite } = await import("../../packages/fleet/dist/index.js");
const { generateSigningKey, readSigningKey } = await import("../../packages/fleet/dist/hallmark/index.js");

const count = Number(process.argv[2] ?? 10_000);
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
/** What our own process worked; on a busy machine the clock says little. */
const cpu = () => Object.values(process.cpuUsage()).reduce((sum, each) => sum + each) / 1e6;
const seconds = (from) => `${(cpu() - from).toFixed(1)} s of CPU`;
const say = (text) => process.stdout.write(`${text}\n`);

const bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "0.0.0", timeScale: 0 });
const reports = {
  card: await reportOf("spec", "card"),
  whole: await reportOf("minimal", "quick"),
  broken: await reportOf("mutants/JSONRPC-009.own-code", "free"),
};
await bed.close(0);
const packed = new Map(Object.entries(reports).map(([name, report]) => [name, deflateSync(JSON.stringify(report))]));

/** Of ten agents three answer and were looked at in part, one was tested whole, two break rules, four are dead. */
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
say(
  `${count} agents: report in ${seconds(began)}; JSON ${megabytes(json.length)}, Markdown ${megabytes(markdown.length)}`,
);

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
say(`site in ${seconds(began)}, at most ${megabytes(process.resourceUsage().maxRSS * 1024)} of memory`);
for (const [part, { files, bytes }] of Object.entries(sizes)) say(`  ${part}: ${files} files, ${megabytes(bytes)}`);

const open = (page) => {
  const start = performance.now();
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${join(folder, "profile")}`];
  const shot = `--screenshot=${join(folder, "page.png")}`;
  const { error } = spawnSync("chromium", [...flags, shot, join(folder, page)], { stdio: "ignore" });
  return error ? undefined : performance.now() - start;
};
writeFileSync(join(folder, "empty.html"), "<!DOCTYPE html><title>empty</title>");
if (open("empty.html") === undefined) say("Chromium is not installed: not opened");
else {
  const times = Array.from({ length: 3 }, () => open("index.html") - open("empty.html")).toSorted((a, b) => a - b);
  say(`index opened and painted in ${times[1].toFixed(0)} ms more than an empty page (median of 3)`);
}
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
