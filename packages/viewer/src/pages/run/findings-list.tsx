import {
  type ConformanceReport,
  type ConformanceResult,
  type FailureGroup,
  type FindingGroup,
  unexaminedOf,
} from "@assay/suite/report";
import { plural, reasons } from "@assay/suite/text";
import { Said, Sentence } from "../../app/sentence.tsx";

/** What to fix first, what to look at, and what was not examined and why. */
export function FindingsList({
  report,
  failures,
  warnings,
  chosen,
  linkOf,
}: {
  readonly report: ConformanceReport;
  readonly failures: readonly FailureGroup[];
  readonly warnings: readonly FindingGroup[];
  readonly chosen: ConformanceResult | undefined;
  readonly linkOf: (result: ConformanceResult) => string;
}) {
  const unexamined = unexaminedOf(report);
  const line = (group: FindingGroup, sign: string, kind: "fail" | "warning") => (
    <li key={`${group.test} ${group.where} ${group.message}`}>
      <a
        class="finding-line"
        href={linkOf(group.example)}
        {...(chosen && group.results.includes(chosen) && { "aria-current": "true" as const })}
      >
        <span class={`sign ${kind}`}>{sign}</span>
        <span class="what">
          <Sentence text={group.message || group.example.title} begins most={160} />
        </span>
        <span class="which">
          {group.test} · <Said text={group.where} />
          {group.blocks > 0 && ` · holds up ${plural(group.blocks, "result")}`}
        </span>
      </a>
    </li>
  );
  return (
    <div class="scroll">
      {failures.length > 0 && (
        <>
          <h2>Fix first</h2>
          <ol class="findings">{failures.map((group) => line(group, "✗", "fail"))}</ol>
        </>
      )}
      {warnings.length > 0 && (
        <>
          <h2>{plural(warnings.length, "warning")}</h2>
          <ol class="findings">{warnings.map((group) => line(group, "!", "warning"))}</ol>
        </>
      )}
      {failures.length + warnings.length === 0 && report.summary.examined > 0 && (
        <p class="hint">No rule is broken, as far as was examined. All results are behind the next tab.</p>
      )}
      {unexamined.length > 0 && (
        <>
          <h2>Not examined</h2>
          <ul class="reasons">
            {unexamined.map(({ reason, rules, enable }) => (
              <li key={`${reason} ${enable}`}>
                <b class="numbers">{rules}</b>
                <span>
                  {reasons[reason]}
                  {enable !== undefined && (
                    <code>
                      <Said text={enable} />
                    </code>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {report.notes.length + report.leftOut.length > 0 && (
        <>
          <h2>Notes</h2>
          <ul class="notes">
            {report.leftOut.map(({ interface: on, because }) => (
              <li key={`${on.url} ${on.binding}`}>
                Not tested: <Said text={`${on.binding} ${on.dialect} at ${on.url}`} />: <Sentence text={because} />
              </li>
            ))}
            {report.notes.map((note) => (
              <li key={note}>
                <Sentence text={note} begins />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
