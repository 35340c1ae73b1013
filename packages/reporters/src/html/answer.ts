import {
  type ConformanceReport,
  firstStep,
  levelText,
  messagesText,
  outcomeWord,
  resultsOf,
} from "@assay/suite/report";
import {
  cut,
  dateText,
  durationText,
  endingOf,
  examinedOf,
  findingsOf,
  interfaceText,
  versionsOf,
} from "@assay/suite/text";
import { sentenceCase } from "../look/sentence-parts.ts";
import { h, type SafeHtml } from "../safe-html.ts";
import { sentence } from "./sentence.ts";

/** Who was tested, and what came of it. */
export function answer(report: ConformanceReport): SafeHtml {
  const { agentName, agentVersion, agentUrl, levelBecause, summary, outcome } = report;
  const ending = endingOf(report);
  const hint = firstStep(report);
  return h`<header>
<p class="kicker">A2A conformance${report.subject === "client" ? " of a client" : ""}</p>
<h1>${cut(agentName === "" ? agentUrl : agentName, 200)} <span class="version">${cut(agentVersion, 60)}</span></h1>
${agentName === "" ? undefined : h`<p class="mono url">${cut(agentUrl, 300)}</p>`}
<div class="answer panel ${outcome}">
<p class="outcome">${outcomeWord(report)}</p>
${ending === undefined ? undefined : h`<p class="because">${sentence(ending, 1000)}</p>`}
${hint === undefined ? undefined : h`<p>${sentence(hint, 1000)}</p>`}
${summary.total === 0 ? undefined : h`<p class="because">${sentenceCase(findingsOf(report))}</p>`}
${levelBecause === ending ? undefined : h`<p class="reason">${sentence(sentenceCase(levelText(report)))}. ${sentenceCase(examinedOf(report))}.</p>`}
</div>
${summary.total === 0 ? undefined : bar(report)}
<dl class="facts">
<div><dt>tested</dt><dd>${dateText(report.testDate)}, in ${durationText(report.duration_ms)}, ${messagesText(report)}</dd></div>
${versionsOf(report).map(({ version, answer: told, known }) => h`<div><dt>version ${version}</dt><dd>${sentence(told)}; known by: ${sentence(known)}</dd></div>\n`)}${report.interfaces.map((on) => h`<div><dt>interface</dt><dd>${cut(interfaceText(on), 300)}</dd></div>\n`)}</dl>
</header>`;
}

/** How the results share out, drawn and said. */
function bar(report: ConformanceReport): SafeHtml {
  const { passed, failed, blocked, errors, total } = report.summary;
  const applicable = total - resultsOf(report).filter(({ verdict }) => verdict === "not-applicable").length;
  const parts = [
    { kind: "fail", count: failed, name: "failed" },
    { kind: "blocked", count: blocked, name: "blocked" },
    { kind: "error", count: errors, name: "not judged" },
    { kind: "pass", count: passed, name: "passed" },
    { kind: "not-examined", count: applicable - passed - failed - blocked - errors, name: "not examined" },
    { kind: "not-applicable", count: total - applicable, name: "not applicable" },
  ].filter(({ count }) => count > 0);
  return h`<div class="bar" aria-hidden="true">${parts.map(({ kind, count }) => h`<span class="${kind}" style="flex-grow:${count}"></span>`)}</div>
<ul class="legend" aria-label="Results by outcome">${parts.map(({ kind, count, name }) => h`<li class="${kind}"><b>${count}</b> ${name}</li>`)}</ul>`;
}
