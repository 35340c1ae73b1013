import {
  blamedWords,
  gradeOf,
  gradeSigns,
  type PairScore,
  type PairTable,
  pairTable,
  participantsOf,
  releasedScore,
  type SharedCause,
  scoreOf,
  scoreText,
  triedIn,
  versionText,
  wireKey,
  wiresOf,
  wireTitle,
} from "@assay/matrix/view";
import { dateText, durationText, plural } from "@assay/suite/text";
import { useMemo } from "preact/hooks";
import { refine } from "../../app/route.ts";
import { Said } from "../../app/sentence.tsx";
import { WideTable } from "../../app/wide-table.tsx";
import { Causes } from "./causes.tsx";
import { type MatrixFilter, narrowed, queryOf } from "./filters.ts";
import { Chains, Drivers, Since, Stale } from "./sections.tsx";
import type { MatrixView } from "./view.ts";

/**
 * Shows the tables of clients and servers for every binding and version, the causes of failures, the changes and the
 * drivers.
 */
export function Overview({ view, filter }: { readonly view: MatrixView; readonly filter: MatrixFilter }) {
  const { matrix, causeOf } = view;
  const shown = useMemo(() => narrowed(matrix, filter, causeOf), [view, filter]);
  const tables = useMemo(() => wiresOf(shown).map((wire) => pairTable(shown, wire)), [shown]);
  const own = useMemo(() => new Set(shown.cells.map(({ id }) => causeOf(id))), [shown]);
  const causes = view.causes.filter((cause) => own.has(cause));
  return (
    <>
      <Head view={view} cells={shown.cells} causes={causes} />
      <p>
        See also: <a href={view.to(["scenarios"])}>scenario × SDK against one test bed</a>. Your SDK:{" "}
        {participantsOf(matrix).map(({ name }) => (
          <>
            <a href={view.to(["sdk", name])}>{name}</a>{" "}
          </>
        ))}
      </p>
      <Filters view={view} filter={filter} shown={causes.length} />
      {tables.length === 0 && <p>No cell matches. Change the filter above.</p>}
      <div class="matrix-wires">
        {tables.map((table) => (
          <WireTable view={view} table={table} />
        ))}
      </div>
      <p class="hint">
        Passed scenarios out of those that ran. ✓ all, ! four of five or more, ✗ fewer, – hatched: not supported by the
        SDK; an empty cell: one of the two does not support this binding and version.
      </p>
      <Since view={view} />
      <Causes title="Failures by cause" view={view} causes={causes} />
      <Stale matrix={matrix} />
      <Chains matrix={matrix} />
      <Drivers view={view} />
    </>
  );
}

interface HeadProps {
  readonly view: MatrixView;
  readonly cells: MatrixView["matrix"]["cells"];
  readonly causes: readonly SharedCause[];
}

function Head({ view: { matrix, since }, cells, causes }: HeadProps) {
  const score = scoreOf(cells);
  const released = releasedScore({ drivers: matrix.drivers, cells });
  const { partial, startedAt, duration_ms, machine, tool, staleKnownFailures: stale } = matrix;
  return (
    <header class="matrix-head">
      <h1>Which client works with which server</h1>
      <p class="matrix-score">{scoreText(score)} passed</p>
      <p class="soft">
        {score.failed === 0 ? "no failures" : `${score.failed} failed for ${plural(causes.length, "cause")}`}
        {score.known > 0 && (score.known === score.failed ? ", all of them known" : `, ${score.known} of them known`)};{" "}
        {score.unsupported} not supported by an SDK, {score.left} not applicable or not run
        {partial !== undefined && (
          <>
            ; not all of it: <Said text={partial} />
          </>
        )}
      </p>
      {released && (
        <p>
          Without pre-releases ({released.without.map(({ name, version }) => `${name} ${version}`).join(", ")}):{" "}
          {scoreText(released.score)} passed, {released.score.failed} failed
        </p>
      )}
      <Shares passed={score.passed} causes={causes} />
      {since && (
        <p>
          Since {since.before.startedAt.slice(0, 10)}: {since.counts.fixed} fixed,{" "}
          <b class={since.regressed ? "is-fail" : ""}>{since.counts.broken} broken</b>, {since.counts.found} new
        </p>
      )}
      {stale.length > 0 && (
        <p>
          <b class="is-fail">✗ {plural(stale.length, "known failure")}</b> no longer{" "}
          {stale.length === 1 ? "happens" : "happen"}: remove from the list
        </p>
      )}
      <p class="hint">
        {dateText(startedAt)}, {durationText(duration_ms)} on {machine.cores} cores, assay {tool.version}
      </p>
    </header>
  );
}

/** Shows the shares of passed cells and, by cause, of red cells, as a bar and as text. */
function Shares({ passed, causes }: { readonly passed: number; readonly causes: readonly SharedCause[] }) {
  const red = (Object.keys(blamedWords) as (keyof typeof blamedWords)[]).map((whose) => ({
    look: whose as string,
    says: whose === "unclear" ? "unclear" : `by ${blamedWords[whose]}`,
    count: causes.filter((cause) => cause.whose === whose).reduce((sum, { cells }) => sum + cells.length, 0),
  }));
  const shares = [{ look: "passed", says: "passed", count: passed }, ...red].filter(({ count }) => count > 0);
  if (shares.length === 0) return null;
  return (
    <>
      <div class="bar" aria-hidden="true">
        {shares.map(({ look, count }) => (
          <span class={look} style={{ flexGrow: count }} />
        ))}
      </div>
      <ul class="legend">
        {shares.map(({ look, says, count }) => (
          <li class={look}>
            <b>{count}</b> {says}
          </li>
        ))}
      </ul>
    </>
  );
}

interface FiltersProps {
  readonly view: MatrixView;
  readonly filter: MatrixFilter;
  /** the number of causes that match the filter */
  readonly shown: number;
}

function Filters({ view: { matrix, causes, to }, filter, shown }: FiltersProps) {
  const choices: readonly [name: keyof MatrixFilter, every: string, options: readonly string[]][] = [
    ["client", "every client", unique(matrix.cells.map(({ client }) => client))],
    ["server", "every server", unique(matrix.cells.map(({ server }) => server))],
    [
      "scenario",
      "every scenario",
      matrix.scenarios.flatMap(({ id, notForClients }) => (notForClients === undefined ? [id] : [])),
    ],
    ["fault", "every fault", unique(causes.map(({ whose }) => whose))],
  ];
  const choose = (name: keyof MatrixFilter, value: string): void =>
    refine(to([], queryOf({ ...filter, [name]: value })));
  return (
    <fieldset class="matrix-filters">
      <legend class="away">Filter</legend>
      {choices.map(([name, every, options]) => (
        <select
          aria-label={name}
          value={filter[name]}
          onChange={({ currentTarget }) => choose(name, currentTarget.value)}
        >
          <option value="">{every}</option>
          {options.map((value) => (
            <option value={value}>{name === "fault" ? blamedWords[value as keyof typeof blamedWords] : value}</option>
          ))}
        </select>
      ))}
      <label>
        <input
          type="checkbox"
          checked={filter.fresh !== ""}
          onChange={({ currentTarget }) => choose("fresh", currentTarget.checked ? "1" : "")}
        />{" "}
        without known failures
      </label>
      {Object.keys(queryOf(filter)).length > 0 && (
        <button type="button" onClick={() => refine(to())}>
          Show everything
        </button>
      )}
      <output aria-live="polite">{causes.length > 0 && `${shown} of ${causes.length} causes`}</output>
    </fieldset>
  );
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

function WireTable({ view, table }: { readonly view: MatrixView; readonly table: PairTable }) {
  const { wire, clients, servers, rows, total } = table;
  const key = wireKey(wire);
  return (
    <section aria-labelledby={key}>
      <h2 id={key}>
        {wireTitle(wire)} <small>{scoreText(total)}</small>
      </h2>
      <WideTable
        label={wireTitle(wire)}
        look="matrix-pairs"
        head={
          <>
            <th scope="col">
              <span class="soft">client ↓ server →</span>
            </th>
            {servers.map(({ name, version }) => (
              <th scope="col">
                {name}
                <small>{versionText({ version })}</small>
              </th>
            ))}
          </>
        }
      >
        {rows.map((row, index) => (
          <tr>
            <th scope="row">
              {clients[index]!.name}
              <small>{versionText(clients[index]!)}</small>
            </th>
            {row.map((pair, column) => (
              <Pair view={view} pair={pair} server={servers[column]!.name} />
            ))}
          </tr>
        ))}
      </WideTable>
    </section>
  );
}

function Pair({ view, pair, server }: Readonly<{ view: MatrixView; pair: PairScore | undefined; server: string }>) {
  if (!pair)
    return (
      <td class="nobody">
        <span class="away">not supported by both</span>
      </td>
    );
  const { client, score } = pair;
  const grade = gradeOf(score);
  const tried = triedIn(score);
  return (
    <td class={`grade ${grade}`} data-label={server}>
      <a href={view.to(["pair", client, server])}>
        <b aria-hidden="true">{gradeSigns[grade]}</b>{" "}
        <span class="numbers">{tried === 0 ? scoreText(score) : `${score.passed}/${tried}`}</span>
        <span class="away">
          {" "}
          {client} with {server}
        </span>
      </a>
    </td>
  );
}
