import {
  type ConformanceReport,
  type FailureGroup,
  type FindingGroup,
  slowedDownText,
  unexaminedOf,
} from "@assay/suite/report";
import { cut, expectedOf, interfaceText, reasons, sdkOf } from "@assay/suite/text";
import { sentenceCase } from "../look/sentence-parts.ts";
import { h, type SafeHtml } from "../safe-html.ts";
import { type FindingContext, fixFirst, otherCauses, warnings } from "./findings.ts";
import { sentence } from "./sentence.ts";

interface FoundGroups {
  readonly failures: readonly FailureGroup[];
  readonly warned: readonly FindingGroup[];
  readonly context: FindingContext;
}

/** What was found, what was not looked at, and what else is worth knowing: all but the list of results. */
export const foundSections = (report: ConformanceReport, { failures, warned, context }: FoundGroups): SafeHtml =>
  h`${fixFirst(failures, context)}
${otherCauses(report, failures)}
${warnings(warned, context)}
${baseline(report)}
${notExamined(report)}
${notes(report)}`;

function notExamined(report: ConformanceReport): SafeHtml {
  const groups = unexaminedOf(report);
  if (groups.length === 0) return h``;
  const rows = groups.map(
    ({ reason, rules, enable, trouble, because }) =>
      h`<tr><td class="count">${rules}</td><td>${because === undefined ? (trouble ?? reasons[reason]) : sentence(because)}</td><td>${enable === undefined ? undefined : h`<code>${cut(enable, 300)}</code>`}</td></tr>
`,
  );
  return h`<section aria-labelledby="not-examined"><h2 id="not-examined">Not examined</h2>
<table class="reasons panel"><thead><tr><th scope="col">rules</th><th scope="col">why</th><th scope="col">examine them with</th></tr></thead>
<tbody>${rows}</tbody></table></section>`;
}

function notes(report: ConformanceReport): SafeHtml {
  const { leftOut, notes: noted, slowedDown } = report;
  const said = [...noted, ...(slowedDown ? [slowedDownText(slowedDown)] : [])];
  const sdk = sdkOf(report);
  if (leftOut.length + said.length === 0 && sdk === undefined) return h``;
  return h`<section aria-labelledby="notes"><h2 id="notes">Notes</h2><ul class="lines">
${sdk === undefined ? undefined : h`<li>SDK: ${sentence(sdk)}</li>\n`}${leftOut.map(({ interface: on, because }) => h`<li>Not tested: ${cut(interfaceText(on), 300)}: ${sentence(because)}</li>`)}
${said.map((note) => h`<li>${sentence(sentenceCase(note))}</li>`)}</ul></section>`;
}

function baseline(report: ConformanceReport): SafeHtml {
  const lines = expectedOf(report).map((line) => h`<li>${sentence(line)}</li>`);
  if (lines.length === 0) return h``;
  return h`<section aria-labelledby="baseline"><h2 id="baseline">Expected failures</h2><ul class="lines">${lines}</ul></section>`;
}
