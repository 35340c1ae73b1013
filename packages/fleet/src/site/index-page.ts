import { dateText, h, plural, type SafeHtml, safeLink } from "@assay/reporters/look";
import { sentence } from "@assay/reporters/page";
import { cut } from "@assay/suite/text";
import { type AgentClass, agentClasses } from "../classes/agent-class.ts";
import { classWords } from "../classes/class-words.ts";
import { type ChangeKind, changeKinds } from "../report/changes.ts";
import type { FleetReport, FleetRow } from "../report/document.ts";
import { changeText, changeWords, headlineOf, shareText, sweepText } from "../report/report-text.ts";
import { agentFile } from "./addresses.ts";
import { shownRow } from "./agent-data.ts";
import { toneOf } from "./class-mark.ts";
import { footerOf, framed } from "./frame.ts";
import { style } from "./style.ts";

/** Rows of the league that are there without a script; the script pages in the same steps. */
export const rowsAtOnce = 100;
/** Changes of one kind that are told of. */
const mostChanges = 50;

/** Rows of a page that stands alone. */
const mostAlone = 1_000;

/** Whether the agents have pages to lead to, and the league a script. */
interface IndexPlace {
  readonly isAlone: boolean;
}

/** The league, what changed, and what most agents have in common. */
export const indexPage = (report: FleetReport): string => index(report, { isAlone: false });

/** The same as one page that needs nothing beside it. */
export const fleetHtml = (report: FleetReport): string => index(report, { isAlone: true });

const index = (report: FleetReport, place: IndexPlace): string =>
  framed({
    title: `${cut(report.fleet, 80)}: ${headlineOf(report)}`,
    up: "",
    header: h`<p class="kicker">A2A agents of ${cut(report.fleet, 120)}</p>
<h1>${headlineOf(report)}</h1>
<p class="reason">${sweepText(report)}${report.comparedWith === undefined ? "" : `; compared with ${dateText(report.comparedWith.startedAt)}`}</p>
${bar(report)}
<p class="what">${shareText(report)}</p>`,
    main: h`${changes(report, place)}
${failures(report, place)}
${reasons(report, place)}
${builtWith(report)}
${league(report, place)}`,
    footer: footerOf(report),
    ...(place.isAlone ? { style } : { scripts: ["agents.js", "script.js"] }),
  });

/** How the classes share out, drawn and said. */
function bar({ classes }: FleetReport): SafeHtml {
  const parts = Object.entries(classes) as [AgentClass, number][];
  return h`<div class="bar" aria-hidden="true">${parts.map(([each, count]) => h`<span class="${each}" style="flex-grow:${count}"></span>`)}</div>
<ul class="legend" aria-label="Agents by class">${parts.map(([each, count]) => h`<li class="${each}"><b>${count}</b> ${classWords[each]}</li>`)}</ul>`;
}

function changes({ changes: all, comparedWith }: FleetReport, place: IndexPlace): SafeHtml {
  if (!comparedWith) return h``;
  const heading = h`<h2 id="changes">Since ${dateText(comparedWith.startedAt)}</h2>`;
  if (all.length === 0) return h`<section aria-labelledby="changes">${heading}<p>Nothing changed.</p></section>`;
  const kinds = changeKinds.filter((kind) => all.some((change) => change.kind === kind));
  return h`<section aria-labelledby="changes">${heading}
${kinds.map((kind) =>
  changesOf(
    kind,
    all.filter((change) => change.kind === kind),
    place,
  ),
)}</section>`;
}

const changesOf = (kind: ChangeKind, all: FleetReport["changes"], place: IndexPlace): SafeHtml =>
  h`<details class="changes panel"${kind === "regressed" ? h` open` : undefined}><summary><b>${all.length}</b> ${changeWords[kind]}</summary>
<ul class="lines">${all.slice(0, mostChanges).map((change) => h`<li>${change.kind === "gone" ? h`${cut(change.agent, 120)}` : linked(change.agent, place)} <span class="what">${changeText(change)}</span></li>\n`)}</ul>
${all.length > mostChanges ? h`<p class="what">and ${all.length - mostChanges} more, which the JSON of the report has</p>` : undefined}</details>
`;

const linked = (agent: string, { isAlone }: IndexPlace): SafeHtml =>
  isAlone ? h`${cut(agent, 120)}` : h`<a href="${agentFile(agent)}">${cut(agent, 120)}</a>`;

function failures({ failures: all }: FleetReport, at: IndexPlace): SafeHtml {
  if (all.length === 0) return h``;
  const rows = all.map(({ rule, agents, level, title, section, specUrl, remedy, examples }) => {
    const link = safeLink(specUrl);
    const place = link === undefined ? h`§${section}` : h`<a href="${link}" rel="noreferrer">§${section}</a>`;
    return h`<tr><td class="count">${agents}</td><th scope="row">${rule}<small>${level.replace("_", " ")} ${place}</small></th><td>${sentence(title)}${remedy === undefined ? undefined : h`<small>${sentence(remedy, 1000)}</small>`}</td><td>${examples.slice(0, 3).map((agent) => h`<span class="example">${linked(agent, at)}</span> `)}</td></tr>
`;
  });
  return h`<section aria-labelledby="failures"><h2 id="failures">The commonest failures</h2>
<table class="panel"><thead><tr><th scope="col">agents</th><th scope="col">rule</th><th scope="col">what it asks, and what to do</th><th scope="col">such as</th></tr></thead><tbody>${rows}</tbody></table></section>`;
}

function reasons({ reasons: all }: FleetReport, at: IndexPlace): SafeHtml {
  if (all.length === 0) return h``;
  const rows = all.map(
    ({ class: named, code, agents, remedy, examples }) =>
      h`<tr><td class="count">${agents}</td><th scope="row">${classWords[named]}<small>${code}</small></th><td>${sentence(remedy, 1000)}</td><td>${examples.slice(0, 3).map((agent) => h`<span class="example">${linked(agent, at)}</span> `)}</td></tr>
`,
  );
  return h`<section aria-labelledby="reasons"><h2 id="reasons">Why others are not called working</h2>
<table class="panel"><thead><tr><th scope="col">agents</th><th scope="col">why</th><th scope="col">what to do</th><th scope="col">such as</th></tr></thead><tbody>${rows}</tbody></table></section>`;
}

function builtWith({ builtWith: all }: FleetReport): SafeHtml {
  if (all.length === 0) return h``;
  const rows = all.map(
    ({ name, agents, classes, failure }) =>
      h`<tr><th scope="row">${cut(name, 60)}</th><td class="count">${agents}</td><td class="count">${classes.working ?? 0}</td><td class="count">${classes["rules-broken"] ?? 0}</td><td>${failure ? `${failure.rule} (${plural(failure.agents, "agent")})` : ""}</td></tr>
`,
  );
  return h`<section aria-labelledby="built-with"><h2 id="built-with">By SDK</h2><p class="what">Where headers or the card tell it.</p>
<table class="panel"><thead><tr><th scope="col">built with</th><th scope="col">agents</th><th scope="col">working</th><th scope="col">works, rules broken</th><th scope="col">commonest failure</th></tr></thead><tbody>${rows}</tbody></table></section>`;
}

function league(report: FleetReport, at: IndexPlace): SafeHtml {
  const { agents } = report;
  const shown = at.isAlone ? mostAlone : rowsAtOnce;
  return h`<section aria-labelledby="league"><h2 id="league">League</h2>
${at.isAlone ? undefined : filters(report)}
<table class="league panel"><thead><tr><th scope="col"><span class="away">place</span></th><th scope="col">agent</th><th scope="col">class</th><th scope="col">level</th><th scope="col">rules examined</th><th scope="col">broken</th><th scope="col">built with</th><th scope="col">since last time</th></tr></thead>
<tbody id="rows">${agents.slice(0, shown).map((row) => leagueRow(row, at))}</tbody></table>
${at.isAlone ? undefined : h`<p class="pages" id="pages" hidden><button type="button" id="back">Back</button> <output id="shown" aria-live="polite"></output> <button type="button" id="on">On</button></p>`}
${agents.length > shown ? rest(agents.length, shown, at) : undefined}</section>`;
}

const rest = (count: number, shown: number, { isAlone }: IndexPlace): SafeHtml =>
  isAlone
    ? h`<p class="what">The first ${shown} of ${count}; the JSON of the report has all of them.</p>`
    : h`<noscript><p class="what">The first ${shown} of ${count}: the others are shown by a script. Each agent has a page in the folder agents.</p></noscript>`;

function filters({ classes, builtWith: sdks, changes: all }: FleetReport): SafeHtml {
  const option = (value: string): SafeHtml => h`<option value="${value}">${value}</option>`;
  const present = agentClasses.filter((each) => classes[each]);
  const kinds = changeKinds.filter((kind) => kind !== "gone" && all.some((change) => change.kind === kind));
  const choice = (name: string, label: string, values: readonly string[]): SafeHtml | undefined =>
    values.length === 0
      ? undefined
      : h`<label><span>${label}</span><select name="${name}"><option value="">all</option>${values.map(option)}</select></label>\n`;
  return h`<form class="filters panel" id="filters" hidden>
<label><span>Find</span><input type="search" name="find" placeholder="name or address" autocomplete="off" spellcheck="false"></label>
${choice(
  "class",
  "Class",
  present.map((each) => classWords[each]),
)}${choice(
  "sdk",
  "Built with",
  sdks.map(({ name }) => cut(name, 60)),
)}${choice(
  "change",
  "Since last time",
  kinds.map((kind) => changeWords[kind]),
)}</form>`;
}

/** The script writes rows in the same way. */
function leagueRow(row: FleetRow, { isAlone }: IndexPlace): SafeHtml {
  const [place, name, url, page, named, , level, examined, broken, sdk, change] = shownRow(row).map(String);
  return h`<tr><td class="count">${place}</td><th scope="row">${isAlone ? h`${name}` : h`<a href="${page}">${name}</a>`}<small>${url}</small></th><td><span class="verdict ${toneOf(row)}">${named}</span></td><td>${level}</td><td>${examined}</td><td class="count">${broken === "0" ? "" : broken}</td><td>${sdk}</td><td>${change}</td></tr>
`;
}
