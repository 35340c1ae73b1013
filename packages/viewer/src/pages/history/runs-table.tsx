import { durationText } from "@assay/suite/text";
import { go, linkTo } from "../../app/route.ts";
import { lookOf } from "../../app/run-line.ts";
import type { RunLine } from "../../documents/runs.ts";

interface RunsTableProps {
  readonly runs: readonly RunLine[];
  readonly before: string | undefined;
  readonly after: string;
  readonly linkOf: (pair: { readonly before?: string; readonly after?: string }) => string;
}

/**
 * Shows one line for each run. The user chooses two runs to compare; these choices come first, so that phones show
 * them.
 */
export const RunsTable = ({ runs, before, after, linkOf }: RunsTableProps) => (
  <div class="panel runs-table">
    <table class="numbers">
      <thead>
        <tr>
          <th scope="col">run</th>
          <th scope="col">before</th>
          <th scope="col">after</th>
          <th scope="col">outcome</th>
          <th scope="col">level</th>
          <th scope="col" class="figure">
            broken
          </th>
          <th scope="col" class="figure">
            warnings
          </th>
          <th scope="col" class="figure">
            examined
          </th>
          <th scope="col">depth</th>
          <th scope="col" class="figure">
            took
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map((line) => (
          <tr key={line.run}>
            <th scope="row">
              <a href={linkTo("runs", [line.run])}>{momentText(line.testDate)}</a>
            </th>
            <td>
              <Choice name="before" run={line.run} isChosen={line.run === before} link={linkOf({ before: line.run })} />
            </td>
            <td>
              <Choice name="after" run={line.run} isChosen={line.run === after} link={linkOf({ after: line.run })} />
            </td>
            <td class={`verdict ${lookOf(line)}`}>{line.answer}</td>
            <td>{line.conformanceLevel ?? "–"}</td>
            <td class="figure">
              {line.broken}
              {line.summary.expected > 0 && ` (${line.summary.expected} expected)`}
            </td>
            <td class="figure">{line.summary.warnings}</td>
            <td class="figure">
              {line.summary.examined} of {line.summary.applicable}
            </td>
            <td>
              {line.scope === "filtered" ? "some rules" : line.depth}
              {line.isReportOnly && " (report only)"}
            </td>
            <td class="figure">{durationText(line.duration_ms)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** Returns the time to the second, because two runs are often within a minute. */
const momentText = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;

interface ChoiceProps {
  readonly name: string;
  readonly run: string;
  readonly isChosen: boolean;
  readonly link: string;
}

const Choice = ({ name, run, isChosen, link }: ChoiceProps) => (
  <input type="radio" name={name} aria-label={`${name}: ${run}`} checked={isChosen} onChange={() => go(link)} />
);
