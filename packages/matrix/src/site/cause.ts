import { h, plural, preformatted, type SafeHtml } from "@assay/reporters/look";
import { cut } from "@assay/suite/text";
import type { SharedCause } from "../causes/shared-causes.ts";
import type { Cell } from "../document/cell.ts";
import { type UpstreamIssue, upstreamIssues } from "../view/issue.ts";
import { blamedWords } from "../view/labels.ts";
import { wireTitle } from "../view/wires.ts";
import { cellAddress } from "./addresses.ts";
import type { SiteContext } from "./context.ts";
import { blameText } from "./overview.ts";
import { page } from "./page.ts";
import { exchangesShown, footer, programSaw, reasonList } from "./parts.ts";

/** One cause: whose it is and why, the exchange that shows it, a text to file, and every red cell that comes of it. */
export function causePage(cause: SharedCause, context: SiteContext): string {
  const { matrix } = context;
  const { title, whose, blame, held, example, cells, known } = cause;
  const reasons = blame?.reasons ?? [];
  const shown = held ? { exchanges: held.exchanges } : example;
  return page({
    title: cut(title, 120),
    up: "../",
    header: h`<p class="kicker"><a href="../index.html">Assay matrix</a> · <a href="../index.html#causes">causes</a></p>
<h1 class="long">${cut(title, 400)}</h1>
<p class="outcome"><b class="whose ${whose}">${blameText(cause)}</b> <span class="version">${plural(cells.length, "red cell")}${known ? `, ${known} known` : ""}</span></p>`,
    main: h`<section aria-labelledby="why"><h2 id="why">${whose === "unclear" ? "Why it is not clear whose this is" : `Why it is ${blamedWords[whose]}`}</h2>
<p class="explained">${cut(blame?.explanation ?? held?.says ?? "Nothing more was recorded.", 2000)}</p>
${blame?.ambiguity === undefined ? undefined : h`<p>The unclear place is <b>${blame.ambiguity}</b> of our list (<code>docs/spec/ambiguities.md</code>).</p>`}
${reasons.length ? reasonList(reasons) : undefined}
${held?.stderr === undefined ? undefined : h`<h3>What it wrote last</h3><pre tabindex="0">${preformatted(cut(held.stderr, 4000))}</pre>`}</section>
<section aria-labelledby="shown"><h2 id="shown">What shows it <small>${example.client} with ${example.server}, ${wireTitle(example)}, ${example.scenario}</small></h2>
<h3>On the wire</h3>
${exchangesShown(shown, reasons, matrix.exchanges)}
${held ? undefined : programSaw(example)}</section>
${upstreamIssues(matrix, cause).map(issueText)}
${concerned(cells)}`,
    footer: footer(matrix),
  });
}

function issueText({ package: packageName, title, body }: UpstreamIssue, index: number): SafeHtml {
  return h`<section aria-labelledby="issue-${index}"><h2 id="issue-${index}">To be filed with ${packageName}</h2>
<p class="explained">Read it before you send it: the maintainers will.</p>
<p><button type="button" class="select" data-of="issue-text-${index}" hidden>Select the text</button></p>
<pre class="issue" tabindex="0" id="issue-text-${index}">${preformatted(`${title}\n\n${body}`)}</pre></section>
`;
}

/** Red cells that are listed one by one. */
const atMost = 500;

function concerned(cells: readonly Cell[]): SafeHtml {
  return h`<section aria-labelledby="cells"><h2 id="cells">${plural(cells.length, "red cell")} of this cause</h2>
<div class="scroll" role="group" tabindex="0" aria-labelledby="cells"><table class="panel"><thead><tr><th scope="col">client</th><th scope="col">server</th><th scope="col">over</th><th scope="col">scenario</th><th scope="col">known</th></tr></thead>
<tbody>${cells.slice(0, atMost).map(
    (cell) =>
      h`<tr><td>${cell.client}</td><td>${cell.server}</td><td>${wireTitle(cell)}</td><td><a href="../${cellAddress(cell)}">${cell.scenario}</a></td><td>${cell.known && cut(cell.known.why, 120)}</td></tr>
`,
  )}</tbody></table></div>${cells.length > atMost ? h`<p>and ${cells.length - atMost} more</p>` : undefined}</section>`;
}
