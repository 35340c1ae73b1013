import {
  type CategoryMember,
  type ConformanceReport,
  type ConformanceResult,
  categories,
  type FindingGroup,
  failuresOf,
  firstStep,
  levelText,
  messagesText,
  outcomeWord,
  resultsOf,
  unexaminedOf,
  warningsOf,
  whereOf,
} from "@assay/suite/report";
import { cut } from "./escape.ts";
import { EvidenceSections } from "./html-evidence.ts";
import { style } from "./html-style.ts";
import type { Run } from "./run.ts";
import { h, ours, type SafeHtml } from "./safe-html.ts";
import {
  dateText,
  durationText,
  endingOf,
  examinedOf,
  expectedOf,
  factsOf,
  findingsOf,
  interfaceText,
  plural,
  type ResultRow,
  reasons,
  rowsOf,
  safeLink,
  versionsOf,
} from "./words.ts";

/**
 * One page that needs nothing else: no script, no font, no picture, no network. The policy at its top has the browser
 * hold that, should a word of the agent ever get through.
 */
export function html({ events, report }: Run): string {
  const evidence = new EvidenceSections(events);
  const failures = failuresOf(report);
  const name = report.agentName === "" ? report.agentUrl : report.agentName;
  return h`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${outcomeWord(report)}: ${cut(name, 100)} · Assay</title>
<style>${ours(style)}</style>
</head>
<body>
<main>
${answer(report)}
${fixFirst(failures, evidence)}
${heldUp(report, failures)}
${warnings(report, evidence)}
${baseline(report)}
${notExamined(report)}
${notes(report)}
${everything(report, failures)}
</main>
<footer>
<p>Assay ${report.tool.version} · rules ${report.ruleSet} · run ${cut(report.run, 100)}</p>
</footer>
</body>
</html>
`.text;
}

function answer(report: ConformanceReport): SafeHtml {
  const { agentName, agentVersion, agentUrl, levelBecause, summary, outcome } = report;
  const ending = endingOf(report);
  const hint = firstStep(report);
  return h`<header>
<p class="kicker">A2A conformance</p>
<h1>${cut(agentName === "" ? agentUrl : agentName, 200)} <span class="version">${cut(agentVersion, 60)}</span></h1>
${agentName === "" ? undefined : h`<p class="mono url">${cut(agentUrl, 300)}</p>`}
<div class="answer ${outcome}">
<p class="outcome">${outcomeWord(report)}</p>
${ending === undefined ? undefined : h`<p class="because">${sentence(ending, 1000)}</p>`}
${hint === undefined ? undefined : h`<p>${sentence(hint, 1000)}</p>`}
${summary.total === 0 ? undefined : h`<p class="because">${sentenceCase(findingsOf(report))}</p>`}
${levelBecause === ending ? undefined : h`<p class="reason">${sentence(sentenceCase(levelText(report)))}. ${sentenceCase(examinedOf(report))}.</p>`}
</div>
${summary.total === 0 ? undefined : bar(report)}
<dl class="facts">
${versionsOf(report).map(({ version, answer: told, known }) => h`<div><dt>version ${version}</dt><dd>${sentence(told)}; known by: ${sentence(known)}</dd></div>`)}${report.interfaces.map((on) => h`<div><dt>interface</dt><dd>${cut(interfaceText(on), 300)}</dd></div>`)}
<div><dt>tested</dt><dd>${dateText(report.testDate)}</dd></div>
<div><dt>took</dt><dd>${durationText(report.duration_ms)}, ${messagesText(report)}</dd></div>
</dl>
</header>`;
}

/** Begins as sentences do, unless it begins with a name, such as that of a member, which is spelt as it is. */
const sentenceCase = (text: string): string =>
  /^[a-z]+([ ,]|$)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;

/** A sentence, in which backticks say "code". */
const sentence = (text: string, most = 600): SafeHtml =>
  h`${cut(text, most)
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 ? h`<code>${part}</code>` : h`${part}`))}`;

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

function fixFirst(groups: readonly FindingGroup[], evidence: EvidenceSections): SafeHtml {
  if (groups.length === 0) return h``;
  return h`<section aria-labelledby="fix-first"><h2 id="fix-first">Fix first</h2>
${groups.map((group, index) => failure(group, index + 1, evidence))}</section>`;
}

function failure(
  { example, also, message, where, blocks }: FindingGroup,
  number: number,
  evidence: EvidenceSections,
): SafeHtml {
  return h`<article class="finding" id="fix-${number}">
<h3><span class="number">${number}</span> ${sentence(sentenceCase(message || example.title))}</h3>
<p class="meta">${rule(example)} <span class="chip">${where}</span>${also.length ? h` <span class="chip">also ${also.join(", ")}</span>` : undefined}${blocks ? h` <span class="chip">blocks ${plural(blocks, "result")}</span>` : undefined}${example.disputed ? h` <span class="chip">contested</span>` : undefined}</p>
${message && message !== example.title ? h`<p class="title">The rule: ${sentence(example.title)}.</p>` : undefined}
<dl class="proof">${factsOf(example).map(
    ({ label, text, isSentence }) =>
      h`<div><dt>${label}</dt>${isSentence ? h`<dd>${sentence(text, 3000)}</dd>` : h`<dd class="mono">${cut(text, 3000)}</dd>`}</div>`,
  )}</dl>
${evidence.of(example.evidence)}</article>
`;
}

/** Id and section, with the way to the specification. */
function rule({ test, section, specUrl, level }: ConformanceResult): SafeHtml {
  const link = safeLink(specUrl);
  const place = link === undefined ? h`§${section}` : h`<a href="${link}" rel="noreferrer">§${section}</a>`;
  return h`<b class="id">${test}</b> <span class="rule-level">${level.replace("_", " ")}</span> ${place}`;
}

function heldUp({ rootCauses }: ConformanceReport, failures: readonly FindingGroup[]): SafeHtml {
  if (rootCauses.length === 0) return h``;
  const places = new Map(
    failures.flatMap(({ test, also, message }, index) =>
      [test, ...also].map((id) => [`${id} ${message}`, index + 1] as const),
    ),
  );
  const lines = rootCauses.map((cause) => {
    const number = places.get(`${cause.test} ${cause.message}`);
    const by = number === undefined ? h`${cause.test}` : h`<a href="#fix-${number}">${cause.test}</a>`;
    return h`<li>${plural(cause.blocks, "result")} by ${by} (${whereOf(cause)}): ${sentence(cause.message)}</li>`;
  });
  return h`<section aria-labelledby="held-up"><h2 id="held-up">Held up</h2><ul class="lines">${lines}</ul></section>`;
}

function warnings(report: ConformanceReport, evidence: EvidenceSections): SafeHtml {
  const groups = warningsOf(report);
  if (groups.length === 0) return h``;
  return h`<section aria-labelledby="warnings"><h2 id="warnings">Warnings</h2>
${groups.map(
  ({ example, message, where }) => h`<article class="finding warning">
<h3>${sentence(sentenceCase(message))}</h3>
<p class="meta">${rule(example)} <span class="chip">${where}</span></p>
${example.remedy === undefined ? undefined : h`<dl class="proof"><div><dt>fix</dt><dd>${sentence(example.remedy, 3000)}</dd></div></dl>`}
${evidence.of(example.evidence)}</article>
`,
)}</section>`;
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
<table class="reasons"><thead><tr><th scope="col">rules</th><th scope="col">why</th><th scope="col">examine them with</th></tr></thead>
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

const filters = { all: "everything", fail: "failed", warning: "warnings", skip: "skipped", pass: "passed" };

function everything(report: ConformanceReport, failures: readonly FindingGroup[]): SafeHtml {
  if (report.summary.total === 0) return h``;
  const places = new Map(
    failures.flatMap(({ results }, index) => results.map((result) => [result, index + 1] as const)),
  );
  const choices = Object.entries(filters).map(
    ([key, name]) =>
      h`<label><input type="radio" name="show" id="show-${key}"${key === "all" ? h` checked` : undefined}> ${name}</label> `,
  );
  return h`<section aria-labelledby="results" class="results"><h2 id="results">All results</h2>
<fieldset class="filter"><legend>Show</legend>${choices}</fieldset>
${Object.entries(report.categories).map(([member, results]) => category(member as CategoryMember, results, places))}</section>`;
}

function category(
  member: CategoryMember,
  results: readonly ConformanceResult[],
  places: ReadonlyMap<ConformanceResult, number>,
): SafeHtml {
  if (results.length === 0) return h``;
  const count = (status: ConformanceResult["status"]): number =>
    results.filter((each) => each.status === status).length;
  const failed = count("fail");
  const name = sentenceCase(categories[member].replaceAll("-", " "));
  return h`<details class="category"${failed ? h` open` : undefined}><summary><h3>${name}</h3> <span class="tally">${failed ? h`<b class="fail">${failed} failed</b> · ` : undefined}${count("pass")} passed · ${count("skip")} skipped</span></summary>
<table><thead><tr><th scope="col">verdict</th><th scope="col">rule</th><th scope="col">where</th><th scope="col">what was found</th></tr></thead>
<tbody>
${rowsOf(results).map((each) => row(each, places.get(each.example)))}</tbody></table></details>
`;
}

function row({ example, where, remark }: ResultRow, number: number | undefined): SafeHtml {
  const { test, title, section, specUrl, verdict, status, warning, disputed, tags } = example;
  const link = safeLink(specUrl);
  const id = link === undefined ? h`${test}` : h`<a href="${link}" rel="noreferrer" title="§${section}">${test}</a>`;
  const mark = [...(warning === undefined ? [] : ["with a warning"]), ...(disputed ? ["contested"] : [])].join(", ");
  return h`<tr class="${status}${warning === undefined ? "" : " warning"}"><td><span class="verdict ${verdict}">${verdict.replaceAll("-", " ")}</span>${mark === "" ? undefined : h`<small>${mark}</small>`}</td><th scope="row">${id}${tags && h`<small>${tags.join(", ")}</small>`}</th><td>${where}</td><td>${sentence(title)}${remark === "" ? undefined : h`<small>${sentence(remark, 400)}</small>`}${number === undefined ? undefined : h` <a href="#fix-${number}">see ${number} above</a>`}</td></tr>
`;
}
