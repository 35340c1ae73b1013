import { h, preformatted, type SafeHtml, safeLink } from "@assay/reporters/look";
import { sentence } from "@assay/reporters/page";
import { type ConformanceReport, type ConformanceResult, shellQuoted } from "@assay/suite/report";
import { cut } from "@assay/suite/text";
import { countedFailures } from "../report/broken-rules.ts";
import type { FleetRow } from "../report/document.ts";

const repository = "https://github.com/assay-dev/assay";
/** Rules that are listed with their text. */
const mostRules = 40;

/** How the owner of an agent sees it again, disagrees, and stays out. */
export function contestSection(
  row: FleetRow,
  report: ConformanceReport | undefined,
  contact: string | undefined,
): SafeHtml {
  const rules = report ? oneEach(countedFailures(report)).slice(0, mostRules) : [];
  return h`<section aria-labelledby="contest"><h2 id="contest">Is this your agent?</h2>
<div class="contest panel">
<ol>
<li>See it yourself. The same test from your own machine, with your own credentials if it needs some; nothing is published by it:
<pre tabindex="0">${preformatted(commandOf(row, report))}</pre></li>
${
  rules.length === 0
    ? undefined
    : h`<li>Read what the rules ask, and where they come from; <code>assay explain &lt;rule&gt;</code> shows one with its remedy:
<ul class="lines">${rules.map(ruleLine)}</ul></li>`
}
<li>If it says something that the specification does not, it is wrong, and we want to know: <a href="${repository}/blob/main/CONTRIBUTING.md#contesting-a-rule" rel="noreferrer">contest the rule</a> with its section and the exchange. While a rule is contested it decides nothing. Places where the specification can be read in two ways are <a href="${repository}/blob/main/docs/spec/ambiguities.md" rel="noreferrer">listed</a>; the lenient reading counts.</li>
<li>If it is true no longer, it will be gone after the next sweep.${contact === undefined ? undefined : h` To have it looked at before, or for anything else: ${contactOf(contact)}.`}</li>
<li>To be left alone, ${contact === undefined ? undefined : "write there, or "}put this into <code>/robots.txt</code> of its host; the agent gets no request but that for this file from then on:
<pre tabindex="0">User-agent: assay
Disallow: /</pre></li>
</ol>
</div></section>`;
}

function commandOf({ url }: FleetRow, report: ConformanceReport | undefined): string {
  const depth = report?.depth ?? "card";
  return `npx assay test ${shellQuoted(cut(url, 2_000))} --depth ${depth}${report?.strict ? " --strict" : ""} --report html=report.html`;
}

function oneEach(results: readonly ConformanceResult[]): ConformanceResult[] {
  const seen = new Set<string>();
  return results.filter(({ test }) => !seen.has(test) && seen.add(test));
}

function ruleLine({ test, level, section, specUrl, title, ambiguity = [] }: ConformanceResult): SafeHtml {
  const link = safeLink(specUrl);
  const place = link === undefined ? h`§${section}` : h`<a href="${link}" rel="noreferrer">§${section}</a>`;
  return h`<li><b>${test}</b> ${level.replace("_", " ")} ${place}: ${sentence(title)}.${ambiguity.length ? h` <span class="chip">unclear: ${cut(ambiguity.join(", "), 80)}</span>` : undefined}</li>
`;
}

const contactOf = (contact: string): SafeHtml => {
  const link = safeLink(contact);
  return link === undefined ? h`${cut(contact, 200)}` : h`<a href="${link}" rel="noreferrer">${link}</a>`;
};
