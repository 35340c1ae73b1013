import { profiles } from "@assay/suite/forecast";
import type { ConformanceReport, HarEntry } from "@assay/suite/report";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../protocol/src/any-character.fixture.ts";
import { nastyStrings, runThatSays } from "./hostile.fixture.ts";
import { html } from "./html.ts";
import { markdown } from "./markdown.ts";
import type { Run } from "./run.ts";
import { manyResults, oneFailure, runFrom, sampleRun, sampleWith } from "./sample.fixture.ts";

const withAnswer = (entry: HarEntry, text: string): HarEntry => ({
  ...entry,
  response: { ...entry.response, content: { size: text.length, mimeType: "text/plain", text } },
});

const data = /<script type="application\/json" id="([^"]*)">(.*?)<\/script>/s;

/** The report that a page carries. */
const reportIn = (page: string): ConformanceReport => JSON.parse(data.exec(page)![2]!);

/** The page without the viewer, which is the same in all of them. */
const frameOf = (page: string): string =>
  page.replace(/<style>.*?<\/style>/s, "<style></style>").replace(/<script>.*<\/script>/s, "<script></script>");

test("the page has the report, and the exchanges that prove its findings", () => {
  const page = html(sampleRun);
  const [, path] = data.exec(page)!;
  expect(path).toBe(`/api/runs/${sampleRun.report.run}`);
  expect(page).toContain(`data-start="#/runs/${sampleRun.report.run}"`);
  const { exchanges, forecast, ...report } = reportIn(page);
  expect(forecast!.clients).toHaveLength(profiles.length);
  expect(report).toEqual(JSON.parse(JSON.stringify(sampleRun.report)));
  const results = Object.values(sampleRun.report.categories).flat();
  const proof = results.filter(({ verdict, warning }) => verdict === "fail" || warning !== undefined);
  const recorded = sampleRun.events.flatMap((event) => (event.event === "exchange" ? [event.id] : []));
  expect(exchanges!.map(({ id }) => id).toSorted()).toEqual(
    [...new Set(proof.flatMap(({ evidence }) => evidence))].filter((id) => recorded.includes(id)).toSorted(),
  );
});

test("a report that brings its exchanges along shows them without a recording", () => {
  const report = reportIn(html(sampleRun));
  expect(reportIn(html({ events: [], report })).exchanges).toEqual(report.exchanges);
});

test("the page loads nothing, and its policy allows only its own script", () => {
  const page = html(sampleRun);
  const [, policy] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(page)!;
  expect(policy!.replace(/sha256-[\w+/=]{44}/g, "sha256-…").split("; ")).toEqual([
    "default-src 'none'",
    "script-src 'sha256-…'",
    "style-src 'sha256-…'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]);
  const frame = frameOf(page);
  expect(frame.match(/<script(?! type="application\/json")/g)).toHaveLength(1);
  expect(frame).not.toMatch(/<(img|link|iframe|form|object)\b| src=| on[a-z]+=/);
});

test("readers without JavaScript get the report as text", () => {
  const [, text] = /<noscript><pre>(.*?)<\/pre><\/noscript>/s.exec(html(sampleRun))!;
  const plain = text!
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
  expect(plain).toBe(markdown(sampleRun));
});

test("2,000 results, each failure with its exchanges, stay below 10 MB", () => {
  const long = JSON.stringify({
    words: Array.from({ length: 400 }, (_, index) => `${index} ${"<".repeat(400)}`),
  });
  const results = manyResults(2000).map((result, index) =>
    result.verdict === "pass" && index % 4 === 0
      ? { ...oneFailure, test: `ERR-1${index}`, operation: `Operation${index}`, evidence: [`y${index}`] }
      : result,
  );
  const { events } = sampleWith(results);
  const example = events.find((event) => event.event === "exchange")!;
  const exchanges = results.flatMap(({ evidence }) =>
    evidence.map((id) => ({ ...example, id, entry: withAnswer(example.entry, long) })),
  );
  const run = runFrom([...events, ...exchanges]);
  const page = html(run);
  expect(run.report.summary.total).toBe(2000);
  expect(page.length).toBeLessThan(10_000_000);
  const { exchanges: kept } = reportIn(page);
  expect(kept!.length).toBeGreaterThan(10);
  expect(kept!.length).toBeLessThan(exchanges.length);
});

test("a long body is cut, and says how much is missing", () => {
  const events = sampleRun.events.map((event) =>
    event.event === "exchange" && event.id === "x5"
      ? { ...event, entry: withAnswer(event.entry, "x".repeat(50_001)) }
      : event,
  );
  const page = html({ ...sampleWith([oneFailure]), events });
  expect(page).toContain("x… (1 more characters)");
});

/** Everything that a run says is data or text: it has no `<` of its own, so it neither opens nor ends an element. */
const elementsOf = (run: Run): number => html(run).split("<").length;
const expected = elementsOf(runThatSays("plain"));

test.each(Object.entries(nastyStrings))("%s from an agent leaves the page as it is", (_, text) => {
  const run = runThatSays(text);
  expect(elementsOf(run)).toBe(expected);
  const { exchanges: _exchanges, ...report } = reportIn(html(run));
  expect(report).toEqual(JSON.parse(JSON.stringify(run.report)));
});

test("no text from an agent changes the page", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, minLength: 1 }), (said) => {
      expect(elementsOf(runThatSays(said))).toBe(expected);
    }),
  );
});

test("the title has the name in assay.yaml", () => {
  expect(html({ ...sampleWith([oneFailure]), agent: "staging" })).toContain(
    "<title>not conformant: staging (Weather Agent 2.3.0) · Assay</title>",
  );
});
