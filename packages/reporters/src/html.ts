import {
  type ConformanceReport,
  type ExchangeRecorded,
  failuresOf,
  outcomeWord,
  resultsOf,
  runHeadline,
  warningsOf,
} from "@assay/suite/report";
import { cut, plural } from "@assay/suite/text";
import { viewerPage } from "@assay/viewer";
import { withForecast } from "./forecast.ts";
import { agentTitle, markdown } from "./markdown.ts";
import type { Run } from "./run.ts";

/** Limits the characters of all exchanges on a page, so that it opens at once. */
const altogether = 5_000_000;
/** Limits the characters of one body. */
const longestBody = 50_000;

/** Renders a page that needs no other file: the viewer with the report and the exchanges that prove its findings. */
export function html(run: Run): string {
  const { report } = run;
  // The name becomes part of addresses, and a foreign file may have any name.
  const name = /^[\w.-]+$/.test(report.run) ? report.run : "run";
  return viewerPage({
    title: `${outcomeWord(report)}: ${cut(report.agentName === "" ? report.agentUrl : agentTitle(report, run.agent), 100)} · Assay`,
    start: `#/runs/${name}`,
    data: {
      [`/api/runs/${name}`]: {
        ...withForecast(run),
        exchanges: proofOf(run),
      } satisfies ConformanceReport,
    },
    summary: markdown(run),
  });
}

/** Renders several runs on one page, which opens with the list of their agents. */
export function mergedHtml(runs: readonly Run[]): string {
  const named = runs.map((run, index) => ({ run, name: `run-${index + 1}` }));
  return viewerPage({
    title: `${plural(runs.length, "run")} · Assay`,
    start: "#/history",
    data: {
      "/api/runs": named.map(({ run, name }) => ({ ...runHeadline(run.report), run: name })),
      ...Object.fromEntries(
        named.map(({ run, name }) => [
          `/api/runs/${name}`,
          { ...withForecast(run), run: name, exchanges: proofOf(run) },
        ]),
      ),
    },
    summary: runs.map(markdown).join("\n"),
  });
}

type ReportedExchange = Omit<ExchangeRecorded, "event">;

/** Returns the exchanges behind the findings, most important first, as many as a page has room for. */
function proofOf({ events, report }: Run): ReportedExchange[] {
  const recorded = events.filter((event): event is ExchangeRecorded => event.event === "exchange");
  const known = new Map(
    [...(report.exchanges ?? []), ...recorded.map(({ event: _, ...exchange }) => exchange)].map((each) => [
      each.id,
      each,
    ]),
  );
  const findings = [...failuresOf(report), ...warningsOf(report)].map(({ example }) => example);
  const others = resultsOf(report).filter(
    ({ verdict, warning, compared }) => verdict === "fail" || warning !== undefined || compared,
  );
  const proof: ReportedExchange[] = [];
  let left = altogether;
  for (const id of new Set([...findings, ...others].flatMap(({ evidence }) => evidence))) {
    const exchange = known.get(id);
    if (!exchange) continue;
    const short = shortened(exchange);
    left -= JSON.stringify(short).replaceAll("<", "\\u003c").length;
    if (left < 0) break;
    proof.push(short);
  }
  return proof;
}

function shortened(exchange: ReportedExchange): ReportedExchange {
  const { request, response } = exchange.entry;
  const { postData } = request;
  return {
    ...exchange,
    entry: {
      ...exchange.entry,
      request: { ...request, ...(postData && { postData: { ...postData, text: cut(postData.text, longestBody) } }) },
      response: { ...response, content: { ...response.content, text: cut(response.content.text, longestBody) } },
    },
  };
}
