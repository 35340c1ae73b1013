import {
  type Comparison,
  type ConformanceReport,
  compareReports,
  comparisonTitle,
  type RuleChange,
  rulesIn,
} from "@assay/suite/report";
import { plural } from "@assay/suite/text";
import { get } from "../../app/api.ts";
import { isStatic } from "../../app/embedded.ts";
import { useLoaded } from "../../app/loaded.ts";
import { Loading, Trouble } from "../../app/notice.tsx";
import { linkTo } from "../../app/route.ts";
import { Said, Sentence } from "../../app/sentence.tsx";

/** The kinds of changes with their meaning, the most urgent first. */
const kinds: readonly {
  readonly change: RuleChange["change"];
  readonly title: string;
  readonly means: string;
  readonly sign: string;
  readonly look: string;
}[] = [
  { change: "broken", title: "broken", means: "passed before, and fail now", sign: "✗", look: "fail" },
  { change: "found", title: "found", means: "fail; they were not examined before", sign: "✗", look: "fail" },
  { change: "unknown", title: "unknown", means: "failed; they were not examined again", sign: "?", look: "" },
  { change: "still", title: "unchanged", means: "failed before, and still fail", sign: "✗", look: "" },
  { change: "gone", title: "gone", means: "failed; they no longer apply to the agent", sign: "·", look: "" },
  { change: "fixed", title: "fixed", means: "failed before, and pass now", sign: "✓", look: "pass" },
];

async function load(before: string, after: string): Promise<Comparison> {
  const [one, other] = [before, after].map((run) => `/api/runs/${encodeURIComponent(run)}` as const);
  return isStatic
    ? compareReports(await get<ConformanceReport>(one!), await get<ConformanceReport>(other!))
    : get(`${one!}/diff/${encodeURIComponent(after)}`);
}

/** Shows the changes between two runs, as `assay diff` does. */
export function ComparisonView({ before, after }: { readonly before: string; readonly after: string }) {
  const comparison = useLoaded(() => load(before, after), [before, after]);
  if (comparison.is === "failed") return <Trouble error={comparison.error} />;
  if (comparison.is === "loading") return <Loading />;
  const { changes, coverage, before: then, after: now } = comparison.value;
  return (
    <section class="comparison" aria-labelledby="changed">
      <h2 id="changed">{comparisonTitle(comparison.value)}</h2>
      {then.ruleSet !== now.ruleSet && (
        <p class="hint">
          Two rule sets: {then.ruleSet} and {now.ruleSet}; a rule may have become stricter.
        </p>
      )}
      {changes.length === 0 && <p>No rule is broken in either run.</p>}
      {kinds.map(({ change, title, means, sign, look }) => {
        const some = changes.filter((each) => each.change === change);
        return (
          some.length > 0 && (
            <div key={change}>
              <h3 class={`change ${look}`}>
                <span aria-hidden="true">{sign}</span> {title} <span class="numbers">{rulesIn(some)}</span>{" "}
                <small>{means}</small>
              </h3>
              <ul class="changes">
                {some.map(({ test, places, message, title: promise }) => (
                  <li key={`${test} ${places}`}>
                    <a href={linkTo("rules", [test])}>{test}</a> <span class="soft">{places.join(", ")}</span>{" "}
                    <Sentence text={message ?? promise} begins most={240} />
                  </li>
                ))}
              </ul>
            </div>
          )
        );
      })}
      <Coverage title="examined now, but not before" rules={coverage.gained} />
      <Coverage title="examined before, but not now" rules={coverage.lost} />
    </section>
  );
}

const Coverage = ({ title, rules }: { readonly title: string; readonly rules: readonly string[] }) =>
  rules.length === 0 ? null : (
    <details class="coverage">
      <summary>
        {plural(rules.length, "rule")} {title}
      </summary>
      <p class="soft">
        <Said text={rules.join(", ")} most={6_000} />
      </p>
    </details>
  );
