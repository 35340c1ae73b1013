import { failuresOf, outcomeWord, warningsOf } from "@assay/suite/report";
import { cut } from "@assay/suite/text";
import { useEffect, useMemo } from "preact/hooks";
import { agent, meet } from "../../app/agent.ts";
import { Copy } from "../../app/copy.tsx";
import { linkTo, type PageRoute } from "../../app/route.ts";
import { useTitle } from "../../app/title.ts";
import { ExchangeView } from "./exchange-view.tsx";
import { FindingDetail } from "./finding-detail.tsx";
import { FindingsList } from "./findings-list.tsx";
import { ResultKeys } from "./result-key.ts";
import { ResultsList } from "./results-list.tsx";
import type { RunSource } from "./source.ts";
import { TrafficList } from "./traffic-list.tsx";
import { VerdictHead } from "./verdict-head.tsx";

/** Shows one exchange from the list of all exchanges. */
const ExchangeDetail = ({ id, source }: { readonly id: string; readonly source: RunSource }) => (
  <article class="finding">
    <p class="actions">
      <button type="button" onClick={() => source.saveHar([id])}>
        HAR
      </button>
      <Copy text={location.href} label="copy link" />
    </p>
    <ExchangeView id={id} source={source} />
  </article>
);

const tabs = { findings: "Findings", results: "All results", traffic: "Traffic" } as const;
type RunTab = keyof typeof tabs;

const isTab = (name: string | null): name is RunTab => name !== null && Object.hasOwn(tabs, name);

/** Shows a finished run: the outcome, the fixes, and all details. */
export function ReadRunView({ run, source, route }: Readonly<{ run: string; source: RunSource; route: PageRoute }>) {
  const { report } = source;
  const keys = useMemo(() => new ResultKeys(report), [report]);
  const found = useMemo(() => ({ failures: failuresOf(report), warnings: warningsOf(report) }), [report]);
  const [, kind, name] = route.rest;
  const asked = route.query.get("tab");
  const tab = isTab(asked) ? asked : kind === "exchange" ? "traffic" : "findings";
  const chosen = kind === "rule" ? keys.find(name) : undefined;
  // If nothing is selected, there is room for the first finding to fix.
  const first = tab === "findings" ? (found.failures[0] ?? found.warnings[0])?.example : undefined;
  const shown = chosen ?? (kind === undefined ? first : undefined);
  useEffect(() => {
    if (agent.value.url === "" && report.subject === "agent") meet(report.agentUrl);
  }, [report]);
  useTitle(`${outcomeWord(report)}: ${cut(report.agentName || report.agentUrl, 80)}`);
  const here = (rest: readonly string[], next: RunTab = tab): string =>
    linkTo("runs", [run, ...rest], next === "findings" ? {} : { tab: next });
  const linkOf = (result: Parameters<typeof keys.keyOf>[0]): string => here(["rule", keys.keyOf(result)]);
  const detail =
    kind === "exchange" && name !== undefined ? (
      <ExchangeDetail key={name} id={name} source={source} />
    ) : (
      shown && (
        <FindingDetail
          key={keys.keyOf(shown)}
          result={shown}
          source={source}
          link={linkOf(shown)}
          group={found.failures.find(({ results }) => results.includes(shown))}
        />
      )
    );
  return (
    <div class="run">
      <VerdictHead source={source} />
      <div class={`panes${kind === undefined ? "" : " chosen"}`}>
        <section class="list" aria-label="Findings">
          <nav class="tabs" aria-label="Views of the run">
            {(Object.keys(tabs) as RunTab[]).map((each) => (
              <a href={here([], each)} {...(each === tab && { "aria-current": "true" as const })} key={each}>
                {tabs[each]}
              </a>
            ))}
          </nav>
          {tab === "findings" && <FindingsList report={report} {...found} chosen={shown} linkOf={linkOf} />}
          {tab === "results" && <ResultsList keys={keys} chosen={shown} linkOf={linkOf} />}
          {tab === "traffic" && (
            <TrafficList
              source={source}
              chosen={kind === "exchange" ? name : undefined}
              linkOf={(id) => here(["exchange", id])}
            />
          )}
        </section>
        <section class="detail" aria-label="In detail">
          {kind !== undefined && (
            <a class="button back" href={here([])}>
              ← back to the list
            </a>
          )}
          {detail || <p class="hint detail-hint">Choose a result on the left to see the request and the response.</p>}
        </section>
      </div>
    </div>
  );
}
