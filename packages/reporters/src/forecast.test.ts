import { profiles } from "@assay/suite/forecast";
import type { ExchangeRecorded } from "@assay/suite/report";
import { expect, test } from "vitest";
import { forecast, forecastBadge, withForecast } from "./forecast.ts";
import { nastyStrings, runThatSays } from "./hostile.fixture.ts";
import { html, mergedHtml } from "./html.ts";
import { json, jsonWithEvidence } from "./json.ts";
import { markdown } from "./markdown.ts";
import type { Run } from "./run.ts";
import { nobodyThere, sampleRun } from "./sample.fixture.ts";

/** The sample with its card, which the sample itself leaves out. */
const cardRead = {
  event: "exchange",
  id: "card",
  entry: {
    request: { method: "GET", url: sampleRun.report.cardUrl },
    response: {
      status: 200,
      content: { text: JSON.stringify({ supportedInterfaces: [], capabilities: { streaming: true } }) },
    },
  },
} as unknown as ExchangeRecorded;
/** The first report on a page. */
const inPage = (page: string): Run["report"] =>
  JSON.parse(/<script type="application\/json" id="\/api\/runs\/[^"]*">(.*?)<\/script>/s.exec(page)![1]!);
const withCard = (run: Run): Run => ({ ...run, events: [...run.events, cardRead] });

test("the table has every client of the package, with its version and the day of its measurement", () => {
  const page = forecast(withCard(sampleRun));
  for (const { client, measured } of profiles) expect(page).toMatch(new RegExp(`${client.version}.*${measured}`));
  expect(page).toContain("| client | forecast | reason | measured |");
});

test("a run without a card has no forecast", () => {
  expect(forecast(nobodyThere)).toContain("No forecast");
  expect(forecastBadge(nobodyThere)).toContain("no forecast");
});

test("the badge says how many clients work, fail and are unknown", () => {
  const { cardUrl } = sampleRun.report;
  const labelOf = (run: Run) => /aria-label="([^"]*)"/.exec(forecastBadge(run))![1];
  // Without answers to messages, nothing works for sure.
  const cardOnly = sampleRun.events.filter((each) => each.event !== "exchange" || each.entry.request.url === cardUrl);
  const { clients } = withForecast({ ...sampleRun, events: cardOnly }).forecast!;
  const unknown = clients.filter(({ verdict }) => verdict === "unknown").length;
  expect(unknown).toBeGreaterThan(0);
  expect(labelOf({ ...sampleRun, events: cardOnly })).toBe(
    `A2A: 0 clients work · ${profiles.length - unknown} fail · ${unknown} unknown · 2026-11-15`,
  );
  // The run sent no request without A2A-Version, so it shows nothing about a client that omits it.
  expect(labelOf(sampleRun)).toMatch(/^A2A: [1-9]\d* clients work · [1-9]\d* fail · 1 unknown · 2026-11-15$/);
});

test("every report for people and programs has the forecast", () => {
  const run = withCard(sampleRun);
  for (const report of [
    JSON.parse(json(run)),
    JSON.parse(jsonWithEvidence(run)),
    inPage(html(run)),
    inPage(mergedHtml([run, run])),
  ])
    expect(report.forecast.clients).toHaveLength(profiles.length);
  const page = markdown(run);
  expect(page).toMatch(/^<summary>Forecast: works with \d+ of \d+ clients/m);
  for (const { client } of profiles)
    expect(page).toMatch(new RegExp(`^\\| .*${client.version}.* \\| (works|fails|unknown)`, "m"));
});

test("a report without a recording keeps the forecast that it has", () => {
  const report = JSON.parse(json(withCard(sampleRun))) as Run["report"];
  expect(JSON.parse(json({ events: [], report }))).toEqual(report);
});

test.each(Object.entries(nastyStrings))("%s from an agent is not on the badge", (_, text) => {
  expect(forecastBadge(withCard(runThatSays(text)))).toBe(forecastBadge(withCard(runThatSays("plain"))));
});
