// `npm run bench -- report [run.ndjson]`: measures how long an HTML report takes to make and to open, and how large it
// is. Opens it in Chromium if that is installed, and subtracts the time of an empty page. Without a run, it makes one
// with 2,000 results.
import { readFileSync } from "node:fs";
import { openingTimes } from "./opening-times.mjs";

const { progress, report } = await import("../../bench/dist/results/report.js");
const { cellOf } = await import("../../bench/dist/results/rows.js");
const { foldRun } = await import("../../packages/suite/dist/report/index.js");
const { loadReporters } = await import("../../packages/reporters/dist/index.js");
const reporters = await loadReporters();

const file = process.argv[2];
const events = file ? readFileSync(file, "utf8").trim().split("\n").map(JSON.parse) : largeRun(2_000);
const folded = foldRun(events);
const name = file ? "the run" : "2,000 results";
const rendered = Array.from({ length: 5 }, () => {
  const began = performance.now();
  const page = reporters.html({ events, report: folded });
  return { page, took: performance.now() - began };
});
const [{ page }] = rendered;
const lower = (column, unit, samples) => cellOf({ name, column, unit, better: "lower" }, samples);
const times = rendered.map(({ took }) => took);
const cells = [lower("size", "MB", [page.length / 1e6]), lower("made in", "ms", times)];
const opened = openingTimes(page);
if (opened) cells.push(lower("opened, beyond an empty page", "ms", opened));
else progress("Chromium is not installed: the report was not opened");
report("The HTML report of a run", cells);

/** Makes a run in which every fourth result fails, each with its own exchange. */
function largeRun(count) {
  const on = { url: "http://127.0.0.1:9999/", dialect: "1.0", binding: "JSONRPC" };
  const started = { event: "run-started", run: "bench", at: "2026-11-15T08:14:02.000Z", agentUrl: on.url };
  const tool = { name: "assay", version: "0.1.0" };
  const about = { ruleSet: "1.0.1-r1", depth: "full", strict: false };
  const results = Array.from({ length: count }, (_, index) => resultOf(index, on));
  const exchanges = results.flatMap(({ result }) => result.evidence.map((id) => exchangeOf(id, on)));
  return [
    { ...started, tool, ...about },
    ...exchanges,
    ...results,
    { event: "run-finished", at: started.at, ending: "done", duration_ms: 48_000, workingMessages: 40 },
  ];
}

function resultOf(index, on) {
  const isBroken = index % 4 === 0;
  const test = `${isBroken ? "GET" : "LIST"}-${String(index).padStart(4, "0")}`;
  const told = { title: "what the rule asks for, in a sentence of some length", section: "3.1.4" };
  const specUrl = "https://a2a-protocol.org/v1.0.1/specification/#314-list-tasks";
  const verdict = isBroken ? "fail" : "pass";
  const proof = { message: `the answer is not what ${test} asks for`, sent: "{}", saw: "{}", want: "a task" };
  const place = { path: "$.result.tasks[20].status.state" };
  return {
    event: "check-finished",
    result: {
      ...{ test, category: "lifecycle", status: verdict, verdict, dialect: "1.0", level: "MUST", interface: on },
      ...{ ...told, specUrl, evidence: isBroken ? [`x${index}`] : [] },
      ...(isBroken && { ...proof, place }),
    },
  };
}

function exchangeOf(id, on) {
  const task = { id, contextId: id, status: { state: "TASK_STATE_COMPLETED" }, artifacts: [{ parts: [{ text: id }] }] };
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { tasks: Array.from({ length: 40 }, () => task) } });
  const headers = [{ name: "content-type", value: "application/json" }];
  const common = { httpVersion: "HTTP/1.1", cookies: [], headers, headersSize: -1 };
  const request = { method: "POST", url: on.url, queryString: [], bodySize: 2, ...common };
  const content = { size: text.length, mimeType: "application/json", text };
  const response = { status: 200, statusText: "OK", content, redirectURL: "", bodySize: -1, ...common };
  const timings = { connect: 0, send: 0, wait: 5, receive: 0 };
  const entry = {
    startedDateTime: "2026-11-15T08:14:03.000Z",
    time: 5,
    request,
    response,
    cache: {},
    timings,
    _id: id,
  };
  return { event: "exchange", id, operation: "ListTasks", interface: on, entry };
}
