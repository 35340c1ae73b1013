import { resultsOf } from "@assay/suite/report";
import { expect, test } from "vitest";
import { withForecast } from "./forecast.ts";
import { har } from "./har.ts";
import { nastyStrings, runThatSays } from "./hostile.fixture.ts";
import { json, jsonWithEvidence } from "./json.ts";
import { ndjson } from "./ndjson.ts";
import { runFrom, sampleRun } from "./sample.fixture.ts";

const lines = (text: string): string[] => text.split("\n").slice(0, -1);

test("the report is the JSON of the report, for people and machines", () => {
  expect(JSON.parse(json(sampleRun))).toEqual(withForecast(sampleRun));
  expect(json(sampleRun).split("\n").slice(0, 3)).toEqual([
    "{",
    '  "agentUrl": "http://127.0.0.1:9999",',
    '  "agentName": "Weather Agent",',
  ]);
});

test("with evidence, it has the exchanges that prove its failures, and no others", () => {
  const { exchanges, ...report } = JSON.parse(jsonWithEvidence(sampleRun));
  expect(report).toEqual(withForecast(sampleRun));
  const proof = resultsOf(sampleRun.report).flatMap(({ verdict, evidence }) => (verdict === "fail" ? evidence : []));
  expect(exchanges.map(({ id }: { id: string }) => id).toSorted()).toEqual([...new Set(proof)].toSorted());
  expect(exchanges.length).toBeGreaterThan(0);
  expect(exchanges[0].entry).toMatchObject({ request: { method: expect.any(String) } });
});

test("a run written as lines gives the same report again", () => {
  const events = lines(ndjson(sampleRun)).map((line) => JSON.parse(line));
  expect(events).toEqual(sampleRun.events);
  expect(runFrom(events).report).toEqual(sampleRun.report);
});

test.each(Object.entries(nastyStrings))("%s is told as it was, on a line of its own", (_, text) => {
  const run = runThatSays(text);
  expect(JSON.parse(json(run))).toEqual(run.report);
  expect(lines(ndjson(run)).map((line) => JSON.parse(line))).toEqual(run.events);
  expect(JSON.parse(har(run)).log.entries[0].response.content.text).toBe(text);
});

test("an HTTP archive has every exchange as it began", () => {
  const late = sampleRun.events.findIndex(({ event }) => event === "exchange");
  const events = [...sampleRun.events.slice(late + 1), sampleRun.events[late]!];
  const { log } = JSON.parse(har({ ...sampleRun, events }));
  expect(log).toMatchObject({ version: "1.2", creator: { name: "assay", version: "1.0.0" } });
  expect(log.entries.map(({ _id }: { _id: string }) => _id)).toEqual(["x1", "x2", "x3", "x4", "x5", "x6", "x7"]);
});
