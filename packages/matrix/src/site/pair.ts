import { h, plural, preformatted, type SafeHtml } from "@assay/reporters/look";
import { cut } from "@assay/suite/text";
import type { Cell } from "../document/cell.ts";
import type { MatrixScenario } from "../document/document.ts";
import { changeWords, outcomeWords, scoreText } from "../view/labels.ts";
import { isRed, scoreOf } from "../view/scores.ts";
import { type MatrixWire, wireKey, wiresOf, wireTitle } from "../view/wires.ts";
import { causeFile, cellAnchor } from "./addresses.ts";
import type { SiteContext } from "./context.ts";
import { blameText } from "./overview.ts";
import { page } from "./page.ts";
import { exchangesShown, footer, programSaw, reasonList } from "./parts.ts";
import { outcomeSigns } from "./signs.ts";

/** One client with one server: scenarios down, wires across, and every red cell with what shows it. */
export function pairPage(cells: readonly Cell[], context: SiteContext): string {
  const [{ client, server }] = cells as readonly [Cell];
  const { matrix } = context;
  const wires = wiresOf({ cells });
  const red = cells.filter(isRed);
  return page({
    title: `${client} with ${server}`,
    up: "../",
    header: h`<p class="kicker"><a href="../index.html">Assay matrix</a></p>
<h1>${client} <span class="version">with</span> ${server}</h1>
<p class="packages">${[client, server].map((name, index) => packageText(name, index === 0 ? "client" : "server", context))}</p>
<p class="outcome">${scoreText(scoreOf(cells))} passed${red.length ? `, ${red.length} red` : ""}</p>`,
    main: h`${grid(matrix.scenarios, wires, cells, context)}
${unsupported(cells)}
${red.length === 0 ? undefined : h`<section aria-labelledby="red"><h2 id="red">What is red</h2>${red.map((cell) => redCell(cell, context))}</section>`}`,
    footer: footer(matrix),
  });
}

function packageText(name: string, role: string, { driver }: SiteContext): SafeHtml {
  const found = driver(name);
  return h`<span>${role} <b>${found?.package ?? name}</b> ${found?.version} <small>${found?.language}</small></span> `;
}

function grid(
  scenarios: readonly MatrixScenario[],
  wires: readonly MatrixWire[],
  cells: readonly Cell[],
  context: SiteContext,
): SafeHtml {
  const byPlace = new Map(cells.map((cell) => [cellAnchor(cell), cell]));
  const rows = scenarios.filter(({ id }) => cells.some(({ scenario }) => scenario === id));
  return h`<section aria-labelledby="scenarios"><h2 id="scenarios">Scenarios</h2>
<div class="scroll" role="group" tabindex="0" aria-labelledby="scenarios"><table class="grid panel"><thead><tr><th scope="col">scenario</th>${wires.map((wire) => h`<th scope="col" id="${wireKey(wire)}">${wireTitle(wire)}</th>`)}</tr></thead>
<tbody>${rows.map(
    ({ id, name }) =>
      h`<tr><th scope="row">${id}<small>${cut(name, 120)}</small></th>${wires.map((wire) => gridCell(byPlace.get(cellAnchor({ ...wire, scenario: id })), context))}</tr>
`,
  )}</tbody></table></div></section>`;
}

function gridCell(cell: Cell | undefined, context: SiteContext): SafeHtml {
  if (!cell) return h`<td class="nobody"></td>`;
  const { outcome } = cell;
  const change = context.changeOf(cell);
  const words = h`<b aria-hidden="true">${outcomeSigns[outcome]}</b> ${outcomeWords[outcome]}${cell.known && h` <small>known</small>`}${change && change !== "still" ? h` <small class="change">${changeWords[change]}</small>` : undefined}`;
  const cause = context.causeOf(cell);
  return h`<td class="${outcome}">${cause ? h`<a href="#${cellAnchor(cell)}">${words}<small>${blameText(cause)}</small></a>` : h`<span${cell.because === undefined ? undefined : h` title="${cut(cell.because, 300)}"`}>${words}</span>`}</td>`;
}

/** What is not tried, by its reason. */
function unsupported(cells: readonly Cell[]): SafeHtml {
  const reasons = new Map<string, Cell[]>();
  for (const cell of cells.filter(
    ({ outcome }) => outcome !== "passed" && outcome !== "failed" && outcome !== "blocked",
  )) {
    const key = `${outcomeWords[cell.outcome]}: ${cell.because ?? "no reason was told"}`;
    reasons.set(key, [...(reasons.get(key) ?? []), cell]);
  }
  if (reasons.size === 0) return h``;
  return h`<section aria-labelledby="left"><h2 id="left">Not tried</h2><ul class="lines">${[...reasons].map(
    ([reason, same]) =>
      h`<li>${cut(reason, 400)} <small>${plural(same.length, "cell")}: ${[...new Set(same.map(({ scenario }) => scenario))].join(", ")}</small></li>`,
  )}</ul></section>`;
}

function redCell(cell: Cell, context: SiteContext): SafeHtml {
  const cause = context.causeOf(cell);
  const reasons = cell.blame?.reasons ?? [];
  return h`<details class="finding panel" id="${cellAnchor(cell)}"><summary><h3><b class="sign ${cell.outcome}" aria-hidden="true">${outcomeSigns[cell.outcome]}</b> <span>${cell.scenario} <small>${wireTitle(cell)}</small></span></h3>
<span class="meta">${cause && h`<b class="whose ${cause.whose}">${blameText(cause)}</b> `}<span>${cut(cell.failure?.message ?? cell.because ?? "", 200)}</span></span></summary>
${cell.known && h`<p class="note">Known to ${cell.known.driver}: ${cut(cell.known.why, 400)}${cell.known.issue && issueLink(cell.known.issue)}</p>`}
${cell.blame && h`<p>${cut(cell.blame.explanation, 1200)}</p>`}
${cause && h`<p><a href="../${causeFile(cause)}">${cause.cells.length === 1 ? "The cause, with a text to file" : `One cause of ${cause.cells.length} red cells, with a text to file`}</a></p>`}
${reasons.length ? reasonList(reasons) : undefined}
${cell.exchanges.length > 0 && !cell.exchanges.some((id) => id in context.matrix.exchanges) ? h`<p class="note">The exchanges of this cell were not kept; the page of its cause shows those of another one.</p>` : exchangesShown(cell, reasons, context.matrix.exchanges)}
${programSaw(cell)}
${cell.stderr && stderr(cell.stderr)}
</details>
`;
}

/** Only what leads to a page: a document may have been written by anything. */
const issueLink = (address: string): SafeHtml =>
  /^https?:/.test(address) ? h` <a href="${address}" rel="noreferrer">${address}</a>` : h` ${address}`;

const stderr = (said: NonNullable<Cell["stderr"]>): SafeHtml =>
  h`${(["client", "server"] as const).flatMap((side) => {
    const text = said[side];
    return text === undefined || text === ""
      ? []
      : [h`<h4>The last lines of the ${side}</h4><pre tabindex="0">${preformatted(cut(text, 4000))}</pre>`];
  })}`;
