import { profiles, runForecast } from "@assay/suite/forecast";
import { type ConformanceReport, type ForecastVerdict, forecastAnswer, type RunForecast } from "@assay/suite/report";
import { cut, plural, prose } from "@assay/suite/text";
import { drawnBadge } from "./badge.ts";
import type { Run } from "./run.ts";

/** Shortens and escapes names and errors of clients, and text of the agent. */
const inTable = (text: string): string => prose(cut(text, 300));

/** Returns the report with the forecast, if the run allows one. A report that was read again may have one already. */
export function withForecast(run: Run): ConformanceReport {
  const forecast = runForecast(run, profiles);
  return forecast ? { ...run.report, forecast } : run.report;
}

/** Renders the clients that work with the agent as a page of Markdown. */
export function forecast(run: Run): string {
  const { agentName, forecast: found } = withForecast(run);
  const lines = found
    ? [`${forecastAnswer(found)}.`, "", ...tableHead, ...clientRows(found), "", ...adviceLines(found)]
    : ["No forecast: the run has no card of an agent.", ""];
  return [`# Forecast for ${inTable(agentName)}`, "", ...lines].join("\n");
}

export const tableHead = ["| client | forecast | reason | measured |", "|---|---|---|---|"] as const;

export const clientRows = ({ clients }: RunForecast): string[] =>
  clients.map(
    ({ client, verdict, because, measured }) =>
      `| ${inTable(`${client.name} ${client.version}`)} | ${verdict} | ${inTable(because)} | ${measured} |`,
  );

/** Lists the suggested changes; empty if there are none. */
export const adviceLines = ({ advice }: RunForecast): string[] =>
  advice.length
    ? [
        "To reach more clients:",
        "",
        ...advice.map(({ change, gains }) => `- ${change}: ${plural(gains, "more client")}`),
        "",
      ]
    : [];

/**
 * Draws a badge for a README: how many clients work, fail and are unknown, and the date. It shows no text of the agent.
 */
export function forecastBadge(run: Run): string {
  const { forecast: found, testDate } = withForecast(run);
  if (!found) return drawnBadge(["no forecast"], "inconclusive");
  const { clients } = found;
  const count = (...verdicts: readonly ForecastVerdict[]): number =>
    clients.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const [work, fail, unknown] = [count("works", "works with limits"), count("fails"), count("unknown")];
  const outcome = work === clients.length ? "conformant" : fail === clients.length ? "not-conformant" : "inconclusive";
  const counts = [`${work} clients work`, `${fail} fail`, ...(unknown ? [`${unknown} unknown`] : [])];
  return drawnBadge([...counts, testDate.slice(0, 10)], outcome);
}
