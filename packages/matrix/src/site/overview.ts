import { h, plural, type SafeHtml } from "@assay/reporters/look";
import { cut } from "@assay/suite/text";
import type { SharedCause } from "../causes/shared-causes.ts";
import { type Blamed, blamed } from "../document/blame.ts";
import type { Chain } from "../document/chain.ts";
import type { MatrixDriver } from "../document/document.ts";
import type { CellChange } from "../view/compare.ts";
import { blamedWords, changeWords, scoreText } from "../view/labels.ts";
import { gradeOf, type PairScore, type PairTable, pairTable, scoreOf, triedIn } from "../view/scores.ts";
import { wireKey, wiresOf, wireTitle } from "../view/wires.ts";
import { causeFile, cellAddress, pairFile } from "./addresses.ts";
import { letterOf, type SiteContext } from "./context.ts";
import { page } from "./page.ts";
import { footer } from "./parts.ts";
import { gradeSigns } from "./signs.ts";

/** The first page: scores over every wire, what is red by its cause, what changed, what took part. */
export function overviewPage(context: SiteContext): string {
  const { matrix } = context;
  const tables = wiresOf(matrix).map((wire) => pairTable(matrix, wire));
  return page({
    title: "Which client works with which server",
    up: "",
    header: header(context),
    main: h`${filters(context)}
<div class="wires">${tables.map((table) => wireTable(table, context))}</div>
<p class="key">Scenarios passed of those tried. <b class="all">✓</b> all, <b class="most">!</b> four of five or more, <b class="some">✗</b> fewer, <b>–</b> hatched: the SDK does not support it; an empty place: one of the two does not speak it.</p>
${since(context)}
${causeList(context)}
${stale(context)}
${chains(matrix.chains)}
${took(matrix.drivers)}`,
    footer: footer(matrix),
  });
}

function header({ matrix, causes, comparison }: SiteContext): SafeHtml {
  const score = scoreOf(matrix.cells);
  const tried = triedIn(score);
  const shares = blamed.map((whose) => ({
    whose,
    cells: causes.filter((cause) => cause.whose === whose).reduce((sum, { cells }) => sum + cells.length, 0),
  }));
  return h`<p class="kicker">Assay matrix</p>
<h1>Which client works with which server</h1>
<div class="answer panel">
<p class="outcome">${scoreText(score)} passed</p>
<p>${score.failed === 0 ? "nothing is red" : h`<b>${score.failed}</b> red by <a href="#causes">${plural(causes.length, "cause")}</a>${score.known ? `, ${score.known} of them known` : ""}`}; ${score.unsupported} not supported by an SDK, ${score.left} not applicable or not run${matrix.partial === undefined ? "" : `; not all of it: ${cut(matrix.partial, 200)}`}</p>
${
  tried === 0
    ? undefined
    : h`<div class="bar" aria-hidden="true"><span class="passed" style="flex-grow:${score.passed}"></span>${shares.map(({ whose, cells }) => h`<span class="${whose}" style="flex-grow:${cells}"></span>`)}</div>
<ul class="legend"><li class="passed"><b>${score.passed}</b> passed</li>${shares.map(({ whose, cells }) => (cells === 0 ? h`` : h`<li class="${whose}"><b>${cells}</b> ${whose === "unclear" ? "not clear whose" : `by ${blamedWords[whose]}`}</li>`))}</ul>`
}
${comparison && h`<p class="more"><a href="#since">Since ${comparison.before.startedAt.slice(0, 10)}</a>: ${comparison.counts.fixed} fixed, <b${comparison.regressed ? h` class="worse"` : undefined}>${comparison.counts.broken} broken</b>, ${comparison.counts.found} new</p>`}
${matrix.staleKnownFailures.length === 0 ? undefined : h`<p class="more"><b class="worse">✗ ${plural(matrix.staleKnownFailures.length, "known failure")}</b> no longer ${matrix.staleKnownFailures.length === 1 ? "happens" : "happen"}: <a href="#stale">take off the list</a></p>`}
</div>`;
}

function stale({ matrix }: SiteContext): SafeHtml {
  const rows = matrix.staleKnownFailures;
  if (rows.length === 0) return h``;
  return h`<section aria-labelledby="stale"><h2 id="stale">Known failures that no longer happen</h2>
<p>Take them off the lists of their drivers:</p>
<ul class="lines">${rows.map(
    ({ row, cells }) =>
      h`<li><b>${row.driver}</b> as ${row.role}, ${row.scenarios.join(", ")}: ${cut(row.why, 300)} <small>${plural(cells, "cell")}, none red</small></li>`,
  )}</ul></section>`;
}

const listed: readonly CellChange[] = ["broken", "found", "fixed", "gone"];
/** Cells that are named for one kind of change. */
const atMost = 60;

function since({ comparison }: SiteContext): SafeHtml {
  if (!comparison) return h``;
  const { counts, changes, packages, before } = comparison;
  const parts = listed.map((change) => {
    const cells = changes.filter((each) => each.change === change).map(({ cell }) => cell);
    if (cells.length === 0) return h``;
    const items = cells
      .slice(0, atMost)
      .map((cell) =>
        change === "gone" ? h`<li>${cell.id}</li>` : h`<li><a href="${cellAddress(cell)}">${cell.id}</a></li>`,
      );
    const more = cells.length > atMost ? h`<li>and ${cells.length - atMost} more</li>` : undefined;
    return h`<details class="change ${change}"${change === "broken" ? h` open` : undefined}><summary><b>${cells.length}</b> ${changeWords[change]}</summary><ul class="lines mono">${items}${more}</ul></details>`;
  });
  return h`<section aria-labelledby="since"><h2 id="since">Since ${before.startedAt.slice(0, 10)}</h2>
<p>${counts.fixed} fixed, ${counts.broken} broken, ${counts.found} new, ${counts.still} red in both.</p>
${parts}
${packages.length === 0 ? undefined : h`<ul class="lines">${packages.map(({ driver, before: was = "not there", after: is = "gone" }) => h`<li><b>${driver}</b>: ${was} → ${is}</li>`)}</ul>`}</section>`;
}

function filters({ matrix, causes }: SiteContext): SafeHtml {
  const names = (side: "client" | "server"): string[] => [...new Set(matrix.cells.map((cell) => cell[side]))];
  const found = new Set(causes.map(({ whose }) => whose));
  return h`<form class="filters panel" id="filters" hidden aria-label="What is shown">
${choice("client", "Client", "every client", names("client"))}
${choice("server", "Server", "every server", names("server"))}
${choice(
  "scenario",
  "Scenario",
  "every scenario",
  matrix.scenarios.map(({ id }) => id),
)}
${choice(
  "fault",
  "Fault of",
  "anything",
  blamed.filter((whose) => found.has(whose)),
  blamedWords,
)}
<label class="check"><input type="checkbox" name="fresh"> without known failures</label>
<button type="reset">Show everything</button>
<output id="shown" aria-live="polite"></output>
</form>`;
}

const choice = (
  name: string,
  label: string,
  every: string,
  values: readonly string[],
  words?: Readonly<Record<string, string>>,
): SafeHtml =>
  h`<label><span>${label}</span> <select name="${name}"><option value="">${every}</option>${values.map((value) => h`<option value="${value}">${words?.[value] ?? value}</option>`)}</select></label>`;

function wireTable({ wire, clients, servers, rows, total }: PairTable, context: SiteContext): SafeHtml {
  const key = wireKey(wire);
  return h`<section class="wire" aria-labelledby="${key}"><h2 id="${key}">${wireTitle(wire)} <small>${scoreText(total)} passed</small></h2>
<div class="scroll" role="group" tabindex="0" aria-labelledby="${key}"><table class="pairs panel">
<thead><tr><th scope="col"><span class="axis">client <span aria-hidden="true">↓</span> server <span aria-hidden="true">→</span></span></th>${servers.map((driver) => h`<th scope="col" data-server="${driver.name}">${driver.name}<small>${driver.version}</small></th>`)}</tr></thead>
<tbody>${rows.map(
    (row, index) =>
      h`<tr data-client="${clients[index]!.name}"><th scope="row">${clients[index]!.name}<small>${clients[index]!.version}</small></th>${row.map((pair, column) => pairCell(pair, servers[column]!, key, context))}</tr>
`,
  )}</tbody></table></div></section>`;
}

function pairCell(pair: PairScore | undefined, server: MatrixDriver, key: string, context: SiteContext): SafeHtml {
  if (!pair)
    return h`<td class="nobody" data-server="${server.name}"><span class="away">not spoken by both</span></td>`;
  const byScenario = new Map(pair.cells.map((cell) => [cell.scenario, letterOf(cell, context)]));
  const letters = context.matrix.scenarios.map(({ id }) => byScenario.get(id) ?? "-").join("");
  const grade = gradeOf(pair.score);
  const tried = triedIn(pair.score);
  const text = tried === 0 ? "" : `${pair.score.passed}/${tried}`;
  return h`<td class="${grade}" data-server="${pair.server}"><a href="${pairFile(pair)}#${key}" data-cells="${letters}"><b aria-hidden="true">${gradeSigns[grade]}</b> <span>${text}</span> <span class="away">${tried === 0 ? scoreText(pair.score) : "passed"}</span><span class="away">: ${pair.client} with ${pair.server}</span></a></td>`;
}

function causeList({ causes }: SiteContext): SafeHtml {
  if (causes.length === 0) return h``;
  return h`<section aria-labelledby="causes"><h2 id="causes">What is red, by what causes it</h2>
<ol class="causes">${causes.map(causeRow)}</ol></section>`;
}

function causeRow(cause: SharedCause): SafeHtml {
  const { whose, title, cells, known, clients, servers, wires, scenarios, blame } = cause;
  const fresh = cells.length - known;
  return h`<li class="cause panel" data-fault="${whose}" data-client="${clients.join(" ")}" data-server="${servers.join(" ")}" data-scenario="${scenarios.join(" ")}" data-fresh="${fresh}">
<a href="${causeFile(cause)}"><b class="count">${cells.length}</b> <span class="what">${cut(title, 220)}</span></a>
<p class="meta"><b class="whose ${whose}">${blameText(cause)}</b>${blame?.ambiguity === undefined ? undefined : h` <span class="chip">${blame.ambiguity}</span>`}${(blame?.reasons ?? []).slice(0, 2).map(({ rule }) => (rule ? h` <span class="chip">${rule.id} §${rule.section}</span>` : h``))} <span>${wires.join(", ")}</span> <span>${plural(clients.length, "client")}, ${plural(servers.length, "server")}, ${plural(scenarios.length, "scenario")}</span>${known ? h` <span>${known} known</span>` : undefined}</p></li>
`;
}

/** "the server a2a-go" */
export const blameText = ({ whose, example, clients, servers }: SharedCause): string => {
  const name: Partial<Record<Blamed, string>> = { client: example.client, server: example.server };
  const isOne = whose === "client" ? clients.length === 1 : servers.length === 1;
  return `${blamedWords[whose]}${name[whose] !== undefined && isOne ? ` ${name[whose]}` : ""}`;
};

function chains(all: readonly Chain[]): SafeHtml {
  if (all.length === 0) return h``;
  return h`<section aria-labelledby="chains"><h2 id="chains">One instruction, relayed from server to server</h2>
${all.map(chain)}</section>`;
}

function chain({ servers, edges, instructions, ...wire }: Chain): SafeHtml {
  const passed = edges.filter(({ outcome }) => outcome === "passed").length;
  const byEnds = new Map(edges.map((edge) => [`${edge.from} ${edge.to}`, edge]));
  const id = `chain-${wireKey(wire)}`;
  return h`<h3 id="${id}">${wireTitle(wire)} <small>${passed} of ${edges.length} steps, ${plural(instructions, "instruction")}</small></h3>
<div class="scroll" role="group" tabindex="0" aria-labelledby="${id}"><table class="pairs panel"><thead><tr><th scope="col"><span class="axis">from <span aria-hidden="true">↓</span> to <span aria-hidden="true">→</span></span></th>${servers.map((name) => h`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${servers.map(
    (from) =>
      h`<tr><th scope="row">${from}</th>${servers.map((to) => {
        const edge = byEnds.get(`${from} ${to}`);
        if (!edge) return h`<td class="nobody"></td>`;
        const grade = { passed: "all", failed: "none", "not-run": "empty" } as const;
        return h`<td class="${grade[edge.outcome]}"><span><b aria-hidden="true">${gradeSigns[grade[edge.outcome]]}</b> ${edge.outcome === "not-run" ? "not run" : edge.outcome}${edge.because === undefined ? undefined : h`<small>${cut(edge.because, 160)}</small>`}</span></td>`;
      })}</tr>
`,
  )}</tbody></table></div>`;
}

function took(drivers: readonly MatrixDriver[]): SafeHtml {
  return h`<section aria-labelledby="drivers"><h2 id="drivers">What took part</h2>
<div class="scroll" role="group" tabindex="0" aria-labelledby="drivers"><table class="panel"><thead><tr><th scope="col">driver</th><th scope="col">language</th><th scope="col">package</th><th scope="col">version</th><th scope="col">as</th></tr></thead>
<tbody>${drivers.map(
    ({ name, language, package: packageName, version, roles, absent }) =>
      h`<tr><th scope="row">${name}</th><td>${language}</td><td class="mono">${packageName}</td><td class="mono">${version}</td><td>${absent === undefined ? Object.keys(roles).join(", ") : `did not take part: ${cut(absent, 300)}`}</td></tr>
`,
  )}</tbody></table></div></section>`;
}
