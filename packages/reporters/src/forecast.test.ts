import { profiles } from "@assay/suite/forecast";
import type { ExchangeRecorded } from "@assay/suite/report";
import { expect, test } from "vitest";
import { forecast, forecastBadge } from "./forecast.ts";
import { nastyStrings, runThatSays } from "./hostile.fixture.ts";
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

test("the badge counts the clients that work", () => {
  expect(/aria-label="([^"]*)"/.exec(forecastBadge(withCard(sampleRun)))![1]).toMatch(
    new RegExp(`^A2A: \\d+ of ${profiles.length} clients · 2026-11-15$`),
  );
});

test.each(Object.entries(nastyStrings))("%s from an agent is not on the badge", (_, text) => {
  expect(forecastBadge(withCard(runThatSays(text)))).toBe(forecastBadge(withCard(runThatSays("plain"))));
});
