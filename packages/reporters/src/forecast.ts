import { profiles, runForecast } from "@assay/suite/forecast";
import { forecastAnswer, forecastVerdicts } from "@assay/suite/report";
import { cut, prose } from "@assay/suite/text";
import { drawnBadge } from "./badge.ts";
import type { Run } from "./run.ts";

/** Names and errors of clients, and text of the agent. */
const inTable = (text: string): string => prose(cut(text, 300));

/** The clients that work with the agent, as a page of Markdown. */
export const forecast = (run: Run): string =>
  `# Forecast for ${inTable(run.report.agentName)}\n\n${forecastSection(run)}`;

/** A table of the clients and a list of changes. */
function forecastSection(run: Run): string {
  const forecasts = runForecast(run, profiles);
  if (!forecasts) return "No forecast: the run has no card of an agent.\n";
  const rows = forecasts.clients.map(
    ({ client, verdict, because, measured }) =>
      `| ${inTable(`${client.name} ${client.version}`)} | ${verdict} | ${inTable(because)} | ${measured} |`,
  );
  const advice = forecasts.advice.map(
    ({ change, gains }) => `- ${change}: ${gains} more ${gains === 1 ? "client" : "clients"}`,
  );
  return [
    `${forecastAnswer(forecasts)}.`,
    "",
    "| client | forecast | reason | measured |",
    "|---|---|---|---|",
    ...rows,
    "",
    ...(advice.length ? ["To reach more clients:", "", ...advice, ""] : []),
  ].join("\n");
}

/** A picture for a README: the number of clients that work, and the date. It shows no text of the agent. */
export function forecastBadge(run: Run): string {
  const forecasts = runForecast(run, profiles);
  if (!forecasts) return drawnBadge(["no forecast"], "inconclusive");
  const { clients } = forecasts;
  const [works, limits] = forecastVerdicts.map((verdict) => clients.filter((each) => each.verdict === verdict).length);
  const share = works! + limits!;
  const outcome = share === clients.length ? "conformant" : share === 0 ? "not-conformant" : "inconclusive";
  return drawnBadge([`${share} of ${clients.length} clients`, run.report.testDate.slice(0, 10)], outcome);
}
