import { type ConformanceReport, failuresOf, outcomeWord, unexaminedOf, warningsOf } from "@assay/suite/report";
import { cut } from "./escape.ts";
import { answer } from "./html/answer.ts";
import { contents } from "./html/contents.ts";
import { EvidenceSections } from "./html/evidence.ts";
import { Filters } from "./html/filters.ts";
import { fixFirst, otherCauses, warnings } from "./html/findings.ts";
import { everything } from "./html/results.ts";
import { script, scriptDigest } from "./html/script.ts";
import { sentence } from "./html/sentence.ts";
import { style } from "./html/style.ts";
import { sentenceCase } from "./look/sentence-parts.ts";
import type { Run } from "./run.ts";
import { h, ours, type SafeHtml } from "./safe-html.ts";
import { expectedOf, interfaceText, reasons } from "./words.ts";

/** What the browser holds the page to, should a word of the agent ever get through: nothing is loaded, one script runs. */
const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${scriptDigest}'; base-uri 'none'; form-action 'none'`;

/**
 * One page that needs nothing else: no font, no picture, no network. What to fix is at its top, folded where there is much
 * of it; everything that was found, and the bytes that prove it, are behind.
 */
export function html({ events, report }: Run): string {
  const filters = new Filters(report);
  const context = { evidence: new EvidenceSections(events), filters };
  const failures = failuresOf(report);
  const warned = warningsOf(report);
  const name = report.agentName === "" ? report.agentUrl : report.agentName;
  return h`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${outcomeWord(report)}: ${cut(name, 100)} · Assay</title>
<style>${ours(style)}
${filters.style}</style>
</head>
<body>
<a class="skip" href="#found">Skip to what was found</a>
${answer(report)}
<div class="columns">
${contents(report, failures, warned)}
<main id="found">
${report.summary.total === 0 ? undefined : filters.controls}
${fixFirst(failures, context)}
${otherCauses(report, failures)}
${warnings(warned, context)}
${baseline(report)}
${notExamined(report)}
${notes(report)}
${everything(report, failures, filters)}
</main>
</div>
<footer>
<p>Assay ${report.tool.version} · rules ${report.ruleSet} · run ${cut(report.run, 100)}</p>
</footer>
<script>${ours(script)}</script>
</body>
</html>
`.text;
}

function notExamined(report: ConformanceReport): SafeHtml {
  const groups = unexaminedOf(report);
  if (groups.length === 0) return h``;
  const rows = groups.map(
    ({ reason, rules, enable }) =>
      h`<tr><td class="count">${rules}</td><td>${reasons[reason]}</td><td>${enable === undefined ? undefined : h`<code>${cut(enable, 300)}</code>`}</td></tr>
`,
  );
  return h`<section aria-labelledby="not-examined"><h2 id="not-examined">Not examined</h2>
<table class="reasons panel"><thead><tr><th scope="col">rules</th><th scope="col">why</th><th scope="col">examine them with</th></tr></thead>
<tbody>${rows}</tbody></table></section>`;
}

function notes({ leftOut, notes: said }: ConformanceReport): SafeHtml {
  if (leftOut.length + said.length === 0) return h``;
  return h`<section aria-labelledby="notes"><h2 id="notes">Notes</h2><ul class="lines">
${leftOut.map(({ interface: on, because }) => h`<li>Not tested: ${cut(interfaceText(on), 300)}: ${sentence(because)}</li>`)}
${said.map((note) => h`<li>${sentence(sentenceCase(note))}</li>`)}</ul></section>`;
}

function baseline(report: ConformanceReport): SafeHtml {
  const lines = expectedOf(report).map((line) => h`<li>${sentence(line)}</li>`);
  if (lines.length === 0) return h``;
  return h`<section aria-labelledby="baseline"><h2 id="baseline">Baseline</h2><ul class="lines">${lines}</ul></section>`;
}
