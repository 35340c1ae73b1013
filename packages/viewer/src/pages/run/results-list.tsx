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

/** More bindings and versions than these an agent does not offer; a hostile card may list any number. */
const mostPlaces = 24;

interface ResultsListProps {
  readonly keys: ResultKeys;
  readonly chosen: ConformanceResult | undefined;
  readonly linkOf: (result: ConformanceResult) => string;
}

/** Every result of the run, by words, verdict and place. */
export function ResultsList({ keys, chosen, linkOf }: ResultsListProps) {
  const [words, setWords] = useState("");
  const [verdict, setVerdict] = useState<keyof typeof verdictChoices>("all");
  const [place, setPlace] = useState("all");
  const places = useMemo(() => [...new Set(keys.results.map(whereOf))].slice(0, mostPlaces), [keys]);
  const isWanted = (result: ConformanceResult): boolean =>
    (place === "all" || whereOf(result) === place) &&
    (verdict === "all" || (verdict === "warning" ? result.warning !== undefined : result.verdict === verdict));
  const shown = useFound(keys.results, textOf, words, isWanted, [verdict, place]);
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
