import {
  type AgentClass,
  agentClasses,
  changeKinds,
  changeText,
  changeWords,
  classFacts,
  examinedWord,
  type FleetReport,
  headlineOf,
  levelWord,
  type ShownFleet,
  type ShownRow,
  shareText,
  sweepText,
  toneOf,
} from "@assay/fleet/view";
import { dateText, plural, safeLink } from "@assay/suite/text";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { isStatic } from "../../app/embedded.ts";
import { linkTo, refine } from "../../app/route.ts";
import { Said, Sentence } from "../../app/sentence.tsx";
import { WideTable } from "../../app/wide-table.tsx";

/** The maximum number of changes of one kind to list. */
const mostChanges = 50;
/** The maximum number of table rows on one screen. */
const atOnce = 100;

/** Shows the league table, the changes, and the most common problems. */
export function FleetView({ report, query }: { readonly report: ShownFleet; readonly query: URLSearchParams }) {
  const rows = useMemo(() => new Map(report.agents.map((row) => [row.agent, row])), [report]);
  // The shown parts need no labels, which the page does not get.
  const said = report as unknown as FleetReport;
  const { comparedWith, tool, sweep } = report;
  return (
    <>
      <p class="soft">
        A2A agents of <Said text={report.fleet} most={120} />
      </p>
      <h1>{headlineOf(said)}</h1>
      <p class="soft">
        {sweepText(said)}
        {comparedWith && `; compared with ${dateText(comparedWith.startedAt)}`}
      </p>
      <Classes classes={report.classes} />
      <p class="hint">{shareText(said)}</p>
      <Changes report={report} rows={rows} />
      <Failures report={report} rows={rows} />
      <Reasons report={report} rows={rows} />
      <BuiltWith report={report} />
      <League report={report} query={query} />
      <p class="hint">
        Assay {tool.version}, sweep {sweep.sweep} of {dateText(sweep.startedAt)}. This page shows what Assay saw then,
        by the rules of the protocol. It does not rate how good an agent is.
      </p>
    </>
  );
}

/** Links to the page of an agent, or shows its name only if there is no such page, as in a standalone file. */
function AgentLink({ fleet, row, name }: Readonly<{ fleet: string; row: ShownRow | undefined; name: string }>) {
  const to = row?.page ?? (isStatic || !row ? undefined : linkTo("fleet", [fleet, "agent", row.agent]));
  const said = <Said text={name} most={120} />;
  return to === undefined ? said : <a href={to}>{said}</a>;
}

/** Shows the shares of the classes as a bar and as text. */
function Classes({ classes }: Pick<ShownFleet, "classes">) {
  const parts = Object.entries(classes) as [AgentClass, number][];
  return (
    <>
      <div class="bar" aria-hidden="true">
        {parts.map(([name, count]) => (
          <span class={name} style={{ flexGrow: count }} />
        ))}
      </div>
      <ul class="legend" aria-label="Agents by class">
        {parts.map(([name, count]) => (
          <li class={name}>
            <b>{count}</b> {classFacts(name).words}
          </li>
        ))}
      </ul>
    </>
  );
}

interface WithRows {
  readonly report: ShownFleet;
  readonly rows: ReadonlyMap<string, ShownRow>;
}

function Changes({ report: { changes, comparedWith, fleet }, rows }: WithRows) {
  if (!comparedWith) return null;
  return (
    <section>
      <h2>Since {dateText(comparedWith.startedAt)}</h2>
      {changes.length === 0 && <p>Nothing changed.</p>}
      {changeKinds.map((kind) => {
        const all = changes.filter((change) => change.kind === kind);
        if (all.length === 0) return null;
        return (
          <details class="panel fleet-changes" open={kind === "regressed"}>
            <summary>
              <b>{all.length}</b> {changeWords[kind]}
            </summary>
            <ul class="lines">
              {all.slice(0, mostChanges).map((change) => (
                <li>
                  <AgentLink fleet={fleet} row={rows.get(change.agent)} name={change.agent} />{" "}
                  <span class="soft">
                    <Said text={changeText(change)} />
                  </span>
                </li>
              ))}
            </ul>
            {all.length > mostChanges && (
              <p class="hint">and {all.length - mostChanges} more, which the JSON of the report has</p>
            )}
          </details>
        );
      })}
    </section>
  );
}

interface TableProps {
  readonly title: string;
  readonly hint?: string;
  readonly columns: readonly string[];
  readonly children: ComponentChildren;
}

/** Shows a table with a heading and column names. */
function Table({ title, hint, columns, children }: TableProps) {
  return (
    <section>
      <h2>{title}</h2>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <WideTable label={title} head={columns.map((name) => <th scope="col">{name}</th>)}>
        {children}
      </WideTable>
    </section>
  );
}

function Examples({ report, rows, names }: WithRows & { readonly names: readonly string[] }) {
  return (
    <td data-label="such as">
      {names.slice(0, 3).map((name) => (
        <span class="fleet-example">
          <AgentLink fleet={report.fleet} row={rows.get(name)} name={name} />
        </span>
      ))}
    </td>
  );
}

function Failures({ report, rows }: WithRows) {
  if (report.failures.length === 0) return null;
  return (
    <Table title="Most common failures" columns={["rule", "agents", "rule and fix", "example"]}>
      {report.failures.map(({ rule, agents, level, title, section, specUrl, remedy, examples }) => {
        const link = safeLink(specUrl);
        return (
          <tr>
            <th scope="row">
              {rule}
              <small>
                {level.replace("_", " ")}{" "}
                {link === undefined ? (
                  `§${section}`
                ) : (
                  <a href={link} rel="noreferrer">
                    §{section}
                  </a>
                )}
              </small>
            </th>
            <td data-label="agents">{agents}</td>
            <td>
              <Sentence text={title} begins />
              {remedy !== undefined && (
                <small>
                  <Sentence text={remedy} begins />
                </small>
              )}
            </td>
            <Examples report={report} rows={rows} names={examples} />
          </tr>
        );
      })}
    </Table>
  );
}

function Reasons({ report, rows }: WithRows) {
  if (report.reasons.length === 0) return null;
  return (
    <Table title="Why the other agents do not count as working" columns={["reason", "agents", "fix", "example"]}>
      {report.reasons.map(({ class: named, code, agents, remedy, examples }) => (
        <tr>
          <th scope="row">
            {classFacts(named).words}
            <small>{code}</small>
          </th>
          <td data-label="agents">{agents}</td>
          <td>
            <Sentence text={remedy} begins />
          </td>
          <Examples report={report} rows={rows} names={examples} />
        </tr>
      ))}
    </Table>
  );
}

function BuiltWith({ report: { builtWith } }: Pick<WithRows, "report">) {
  if (builtWith.length === 0) return null;
  const columns = ["built with", "agents", "working", "works, rules broken", "most common failure"];
  return (
    <Table title="By SDK" hint="If the headers or the card name it." columns={columns}>
      {builtWith.map(({ name, agents, classes, failure }) => (
        <tr>
          <th scope="row">
            <Said text={name} most={60} />
          </th>
          {[
            agents,
            classes.working ?? 0,
            classes["rules-broken"] ?? 0,
            failure ? `${failure.rule} (${plural(failure.agents, "agent")})` : "",
          ].map((text, index) => (
            <td data-label={columns[index + 1]}>{text}</td>
          ))}
        </tr>
      ))}
    </Table>
  );
}

const leagueColumns = ["", "agent", "class", "level", "rules examined", "broken", "built with", "since last time"];

function League({ report, query }: { readonly report: ShownFleet; readonly query: URLSearchParams }) {
  const chosen = useMemo(() => report.agents.filter(fitting(query)), [report, query]);
  const wanted = Number(query.get("from") ?? 0) || 0;
  const from = wanted > 0 && wanted < chosen.length ? wanted : 0;
  const shown = chosen.slice(from, from + atOnce);
  const change = (name: string, value: string): void => {
    const next = new URLSearchParams(query);
    next.delete("from");
    if (value === "") next.delete(name);
    else next.set(name, value);
    refine(linkTo("fleet", [report.fleet], Object.fromEntries(next)));
  };
  return (
    <section>
      <h2>League</h2>
      <Filters report={report} query={query} change={change} />
      <WideTable
        label="League"
        look="fleet-league"
        head={leagueColumns.map((name) => <th scope="col">{name === "" ? <span class="away">place</span> : name}</th>)}
      >
        {shown.map((row) => (
          <LeagueRow fleet={report.fleet} row={row} />
        ))}
      </WideTable>
      <p class="fleet-pages">
        <button
          type="button"
          disabled={from === 0}
          onClick={() => change("from", from > atOnce ? `${from - atOnce}` : "")}
        >
          Back
        </button>{" "}
        <output aria-live="polite">
          {chosen.length === 0 ? "none" : `${from + 1} to ${from + shown.length} of ${chosen.length}`}
        </output>{" "}
        <button
          type="button"
          disabled={from + atOnce >= chosen.length}
          onClick={() => change("from", `${from + atOnce}`)}
        >
          Next
        </button>
      </p>
    </section>
  );
}

const choices = ["class", "sdk", "change"] as const;

function fitting(query: URLSearchParams): (row: ShownRow) => boolean {
  const words = (query.get("find") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const [named, sdk, change] = choices.map((name) => query.get(name) ?? "");
  return (row) => {
    const text = `${row.agent} ${row.url}`.toLowerCase();
    return (
      words.every((word) => text.includes(word)) &&
      (named === "" || row.class === named) &&
      (sdk === "" || row.builtWith?.name === sdk) &&
      (change === "" || row.change === change)
    );
  };
}

interface FiltersProps {
  readonly report: ShownFleet;
  readonly query: URLSearchParams;
  change(name: string, value: string): void;
}

function Filters({ report: { classes, builtWith, changes }, query, change }: FiltersProps) {
  const kinds = changeKinds.filter((kind) => kind !== "gone" && changes.some((each) => each.kind === kind));
  const options: Record<(typeof choices)[number], readonly (readonly [string, string])[]> = {
    class: agentClasses.filter((each) => classes[each]).map((each) => [each, classFacts(each).words]),
    sdk: builtWith.map(({ name }) => [name, name]),
    change: kinds.map((kind) => [kind, changeWords[kind]]),
  };
  const every = { class: "every class", sdk: "every SDK", change: "changed or not" };
  return (
    <fieldset class="fleet-filters">
      <legend class="away">Filter</legend>
      <input
        type="search"
        aria-label="find"
        placeholder="name or address"
        autocomplete="off"
        value={query.get("find") ?? ""}
        onInput={({ currentTarget }) => change("find", currentTarget.value)}
      />
      {choices.map((name) =>
        options[name].length === 0 ? null : (
          <select
            aria-label={name}
            value={query.get(name) ?? ""}
            onChange={({ currentTarget }) => change(name, currentTarget.value)}
          >
            <option value="">{every[name]}</option>
            {options[name].map(([value, word]) => (
              <option value={value}>
                <Said text={word} most={60} />
              </option>
            ))}
          </select>
        ),
      )}
    </fieldset>
  );
}

function LeagueRow({ fleet, row }: { readonly fleet: string; readonly row: ShownRow }) {
  const facts = [
    levelWord(row),
    examinedWord(row),
    row.broken?.length ? String(row.broken.length) : "",
    row.builtWith?.name ?? "",
    row.change ? changeWords[row.change] : "",
  ];
  return (
    <tr>
      <td>{row.place}</td>
      <th scope="row">
        <AgentLink fleet={fleet} row={row} name={row.agent} />
        {row.agent !== row.url && (
          <small>
            <Said text={row.url} most={200} />
          </small>
        )}
      </th>
      <td>
        <ClassMark row={row} />
      </td>
      {facts.map((text, index) => (
        <td data-label={leagueColumns[index + 3]}>{text !== "" && <Said text={text} most={60} />}</td>
      ))}
    </tr>
  );
}

export const ClassMark = ({ row }: { readonly row: Pick<ShownRow, "class" | "outcome" | "examined"> }) => (
  <span class={`verdict ${toneOf(row)}`}>{classFacts(row.class).words}</span>
);
