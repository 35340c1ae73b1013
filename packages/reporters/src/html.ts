import { failuresOf, outcomeWord, warningsOf } from "@assay/suite/report";
import { cut } from "@assay/suite/text";
import { answer } from "./html/answer.ts";
import { contents } from "./html/contents.ts";
import { EvidenceSections } from "./html/evidence.ts";
import { Filters } from "./html/filters.ts";
import { foundSections } from "./html/found.ts";
import { everything } from "./html/results.ts";
import { script, scriptDigest } from "./html/script.ts";
import { style } from "./html/style.ts";
import type { Run } from "./run.ts";
import { h, ours } from "./safe-html.ts";

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
${foundSections(report, { failures, warned, context })}
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
