import { dateText, durationText, examinedOf, h, plural, preformatted, type SafeHtml } from "@assay/reporters/look";
import { foundIn, sentence } from "@assay/reporters/page";
import { type ConformanceReport, levelText } from "@assay/suite/report";
import { cut } from "@assay/suite/text";
import { classWords } from "../classes/class-words.ts";
import { addressText } from "../hallmark/address-text.ts";
import type { FleetVerdict } from "../ledger/verdict.ts";
import type { FleetReport, FleetRow } from "../report/document.ts";
import { changeWords, levelWord } from "../report/report-text.ts";
import { badgeFile, hallmarkFile, keysFile, reportFile, slugOf } from "./addresses.ts";
import { classMark, toneOf } from "./class-mark.ts";
import { contestSection } from "./contest.ts";
import { footerOf, framed } from "./frame.ts";
import type { AgentHallmark } from "./hallmarks.ts";

/** All that a page tells of one agent. */
export interface AgentFile {
  readonly row: FleetRow;
  /** masked and short */
  readonly evidence: string | undefined;
  readonly report: ConformanceReport | undefined;
  /** its verdicts, the newest first */
  readonly history: readonly FleetVerdict[];
  /** absent where none are signed */
  readonly hallmark: AgentHallmark | undefined;
}

/** What was seen of an agent, for its owner: the evidence, what to do, how to see it again and how to disagree. */
export const agentPage = (file: AgentFile, fleet: FleetReport, contact: string | undefined): string => {
  const { row, report, evidence } = file;
  return framed({
    title: `${cut(row.agent, 100)}: ${classWords[row.class]}`,
    up: "../",
    header: h`<p class="kicker"><a href="../index.html">A2A agents of ${cut(fleet.fleet, 120)}</a></p>
<h1>${cut(row.agent, 200)}</h1>
${row.agent === row.url ? undefined : h`<p class="mono url">${cut(row.url, 300)}</p>`}
<div class="answer panel ${toneOf(row)}">
<p class="outcome">${classWords[row.class]}</p>
<p class="because">${sentence(row.reason.message, 1000)}</p>
<p>${sentence(row.reason.remedy, 1000)}</p>
${report && report.summary.examined > 0 ? h`<p class="reason">${sentence(capital(levelText(report)))}. ${capital(examinedOf(report))}.</p>` : undefined}
</div>
<p class="badge"><img src="../${badgeFile(row.agent)}" alt="A2A: ${classWords[row.class]}" height="20"></p>
${facts(row, file)}`,
    main: h`${hallmarkSection(row, file.hallmark)}
${evidence === undefined ? undefined : h`<section aria-labelledby="seen"><h2 id="seen">What was seen</h2><pre tabindex="0">${preformatted(cut(evidence, 4_000))}</pre></section>`}
${report && report.summary.total > 0 ? foundIn(report) : undefined}
${row.run !== undefined && !report ? h`<section><p class="what">The evidence of this run was kept for the time that was set, and is gone.</p></section>` : undefined}
${contestSection(row, report, contact)}
${earlier(file)}`,
    footer: footerOf(fleet),
  });
};

function facts(row: FleetRow, { report }: AgentFile): SafeHtml {
  const { at, attempts, duration_ms, unchanged, builtWith, change } = row;
  const known = [
    [
      "looked at",
      `${dateText(at)}, in ${durationText(duration_ms)}${attempts > 1 ? `, ${plural(attempts, "try", "tries")}` : ""}`,
    ],
    ...(unchanged && report ? [["tested", `${dateText(report.testDate)}: the card is the same since`]] : []),
    ...(builtWith ? [["built with", `${cut(builtWith.name, 60)}, by ${cut(builtWith.because, 200)}`]] : []),
    ...(report?.cardDigest === undefined ? [] : [["card", `sha256:${report.cardDigest}`]]),
    ...(change ? [["since last time", changeWords[change]]] : []),
  ];
  return h`<dl class="facts">${known.map(([label, text]) => h`<div><dt>${label}</dt><dd>${text}</dd></div>\n`)}</dl>`;
}

function hallmarkSection(row: FleetRow, hallmark: AgentHallmark | undefined): SafeHtml {
  if (!hallmark) return h``;
  if (hallmark.is === "none")
    return row.outcome === "conformant"
      ? h`<section aria-labelledby="hallmark"><h2 id="hallmark">Hallmark</h2><p>There is none: ${sentence(hallmark.because)}.</p></section>`
      : h``;
  const slug = slugOf(row.agent);
  const { claims } = hallmark;
  return h`<section aria-labelledby="hallmark"><h2 id="hallmark">Hallmark</h2>
<p><a href="../${hallmarkFile(row.agent)}" download>The hallmark</a> says, signed by ${cut(addressText(claims.iss), 300)} and until ${dateText(new Date(claims.exp * 1000).toISOString())}, what <a href="../${reportFile(row.agent)}" download>this report</a> says. Who has both, and the issuer's <a href="../${keysFile}" download>public key</a>, can verify it offline:</p>
<pre tabindex="0">npx assay verify ${slug}.jws --jwks keys.jwks.json --report ${slug}.report.json</pre></section>`;
}

/** What was said of it before. */
function earlier({ history }: AgentFile): SafeHtml {
  if (history.length < 2) return h``;
  const rows = history.map(
    (verdict) =>
      h`<tr><td>${dateText(verdict.at)}</td><td>${classMark(verdict)}</td><td>${levelWord(verdict)}</td><td>${sentence(verdict.reason.message)}</td></tr>
`,
  );
  return h`<section aria-labelledby="earlier"><h2 id="earlier">Until now</h2>
<table class="panel"><thead><tr><th scope="col">looked at</th><th scope="col">class</th><th scope="col">level</th><th scope="col">why</th></tr></thead><tbody>${rows}</tbody></table></section>`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
