import { profiles, runForecast } from "@assay/suite/forecast";
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
import { markdown } from "./markdown.ts";
import type { Run } from "./run.ts";

/** Characters that all exchanges of a page may have together: it is to open at once, however much went wrong. */
const altogether = 5_000_000;
/** Characters of one body. */
const longestBody = 50_000;

/** One page that needs nothing else: the viewer with the report and the exchanges that prove its findings. */
export function html(run: Run): string {
  const { report } = run;
  // The name becomes part of addresses, and a foreign file may have any name.
  const name = /^[\w.-]+$/.test(report.run) ? report.run : "run";
  const forecast = runForecast(run, profiles);
  return viewerPage({
    title: `${outcomeWord(report)}: ${cut(report.agentName || report.agentUrl, 100)} · Assay`,
    start: `#/runs/${name}`,
    data: {
      [`/api/runs/${name}`]: {
        ...report,
        ...(forecast && { forecast }),
        exchanges: proofOf(run),
      } satisfies ConformanceReport,
    },
    summary: markdown(run),
  });
}

/** Several runs on one page. It opens the list of their agents. */
export function mergedHtml(runs: readonly Run[]): string {
  const named = runs.map((run, index) => ({ run, name: `run-${index + 1}` }));
  return viewerPage({
    title: `${plural(runs.length, "run")} · Assay`,
    start: "#/history",
    data: {
      "/api/runs": named.map(({ run, name }) => ({ ...runHeadline(run.report), run: name })),
      ...Object.fromEntries(
        named.map(({ run, name }) => [`/api/runs/${name}`, { ...run.report, run: name, exchanges: proofOf(run) }]),
      ),
    },
    summary: runs.map(markdown).join("\n"),
  });
}

type ReportedExchange = Omit<ExchangeRecorded, "event">;

/** The exchanges behind the findings, those of the most important first, as many as a page has room for. */
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
