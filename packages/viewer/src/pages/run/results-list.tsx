import { type ConformanceResult, type VerdictName, whereOf } from "@assay/suite/report";
import { cut, plural, visible } from "@assay/suite/text";
import { useMemo, useState } from "preact/hooks";
import { Choice } from "../../app/choice.tsx";
import { go } from "../../app/route.ts";
import { Search, useFound } from "../../app/search.tsx";
import { VirtualList } from "../../app/virtual-list.tsx";
import type { ResultKeys } from "./result-key.ts";

const names: Readonly<Record<VerdictName, string>> = {
  pass: "passed",
  fail: "failed",
  "not-applicable": "not applicable",
  "not-examined": "not examined",
  blocked: "blocked",
  error: "not judged",
};

const verdictChoices = { all: "every verdict", ...names, warning: "with a warning" };

/** The order of verdicts in the list. Expected failures are with the warnings. */
const firstVerdicts: readonly (VerdictName | "warning")[] = ["fail", "blocked", "error", "warning"];

function rankOf({ verdict, warning, expected }: ConformanceResult): number {
  const isAmber = warning !== undefined || expected !== undefined;
  const rank = firstVerdicts.indexOf(isAmber ? "warning" : verdict);
  return rank < 0 ? firstVerdicts.length : rank;
}

/** The maximum number of places to offer as filters. A hostile card may list any number of interfaces. */
const mostPlaces = 24;

interface ResultsListProps {
  readonly keys: ResultKeys;
  readonly chosen: ConformanceResult | undefined;
  readonly linkOf: (result: ConformanceResult) => string;
}

/**
 * Lists all results of the run, filtered by words, verdict and place. Failures come first, the others in the order of
 * the report.
 */
export function ResultsList({ keys, chosen, linkOf }: ResultsListProps) {
  const [words, setWords] = useState("");
  const [verdict, setVerdict] = useState<keyof typeof verdictChoices>("all");
  const [place, setPlace] = useState("all");
  const sorted = useMemo(() => keys.results.toSorted((one, other) => rankOf(one) - rankOf(other)), [keys]);
  const places = useMemo(() => [...new Set(keys.results.map(whereOf))].slice(0, mostPlaces), [keys]);
  const isWanted = (result: ConformanceResult): boolean =>
    (place === "all" || whereOf(result) === place) &&
    (verdict === "all" || (verdict === "warning" ? result.warning !== undefined : result.verdict === verdict));
  const shown = useFound(sorted, textOf, words, isWanted, [verdict, place]);
  return (
    <>
      <div class="filters">
        <Search label="Rules, sections, words" placeholder="rule, section or word" words={words} onWords={setWords} />
        <Choice label="Verdict" value={verdict} options={verdictChoices} onChange={setVerdict} />
        {places.length > 1 && (
          <Choice
            label="Place"
            value={place}
            options={{
              all: "everywhere",
              ...Object.fromEntries(places.map((each) => [each, visible(cut(each, 40))])),
            }}
            onChange={setPlace}
          />
        )}
        <output class="soft numbers">{plural(shown.length, "result")}</output>
      </div>
      <VirtualList
        label="Results"
        count={shown.length}
        rowHeight={52}
        selected={chosen && shown.includes(chosen) ? shown.indexOf(chosen) : undefined}
        onSelect={(index) => go(linkOf(shown[index]!))}
        row={(index) => <ResultRowView result={shown[index]!} />}
      />
    </>
  );
}

const textOf = ({
  test,
  title,
  section,
  message = "",
  warning = "",
  dialect,
  interface: on,
  category,
}: ConformanceResult) =>
  `${test} §${section} ${title} ${message} ${warning} ${dialect} ${on?.binding ?? "card"} ${category}`;

function ResultRowView({ result }: { readonly result: ConformanceResult }) {
  const { test, verdict, warning, title, message, expected } = result;
  return (
    <div class={`result-row${warning === undefined ? "" : " warning"}`}>
      <span class={`verdict ${verdict}`} title={names[verdict]}>
        <span class="away">{names[verdict]}</span>
      </span>
      <span class="what">{visible(cut(title, 200))}</span>
      <span class="which">
        {test} · {visible(whereOf(result))}
        {expected !== undefined && " · expected"}
        {(warning ?? message) !== undefined && ` · ${visible(cut((warning ?? message)!, 120))}`}
      </span>
    </div>
  );
}
