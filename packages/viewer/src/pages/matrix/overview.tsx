import {
  blamedWords,
  gradeOf,
  type MatrixDocument,
  type PairScore,
  type PairTable,
  pairTable,
  type SharedCause,
  scoreOf,
  scoreText,
  triedIn,
  wireKey,
  wiresOf,
  wireTitle,
} from "@assay/matrix/view";
import { dateText, durationText, plural } from "@assay/suite/text";
import { useMemo } from "preact/hooks";
import { linkTo, refine } from "../../app/route.ts";
import { Said } from "../../app/sentence.tsx";
import { type MatrixFilter, narrowed, queryOf } from "./filters.ts";
import { gradeSigns } from "./signs.ts";

/** Clients down, servers across, over every wire; and what is red, by what causes it. */
export function Overview({
  name,
  matrix,
  causes,
  filter,
}: {
  readonly name: string;
  readonly matrix: MatrixDocument;
  readonly causes: readonly SharedCause[];
  readonly filter: MatrixFilter;
}) {
  const shown = useMemo(() => narrowed(matrix, filter, causes), [matrix, filter, causes]);
  const tables = useMemo(() => wiresOf(shown).map((wire) => pairTable(shown, wire)), [shown]);
  const score = scoreOf(shown.cells);
  const own = causes.filter(({ cells }) => shown.cells.some((cell) => cells.some(({ id }) => id === cell.id)));
  return (
    <>
      <header class="matrix-head">
        <h1>Which client works with which server</h1>
        <p class="matrix-score">{scoreText(score)} passed</p>
        <p class="soft">
          {score.failed === 0 ? "nothing is red" : `${score.failed} red by ${plural(own.length, "cause")}`}
          {score.known > 0 && `, ${score.known} known`}; {score.unsupported} not supported by an SDK, {score.left} not
          applicable or not run
          {matrix.partial !== undefined && (
            <>
              ; not all of it: <Said text={matrix.partial} />
            </>
          )}
        </p>
        <p class="hint">
          {dateText(matrix.startedAt)}, {durationText(matrix.duration_ms)}, assay {matrix.tool.version}
        </p>
      </header>
      <Filters name={name} matrix={matrix} causes={causes} filter={filter} />
      {tables.length === 0 && <p>No cell fits. Show more with the choices above.</p>}
      <div class="matrix-wires">
        {tables.map((table) => (
          <WireTable name={name} table={table} />
        ))}
      </div>
      <p class="hint">
        Scenarios passed of those tried. ✓ all, ! four of five or more, ✗ fewer, – hatched: not supported by the SDK; an
        empty place: one of the two does not speak it.
      </p>
      <Causes name={name} causes={own} />
      <Drivers matrix={matrix} />
    </>
  );
}

function Filters({
  name,
  matrix,
  causes,
  filter,
}: {
  readonly name: string;
  readonly matrix: MatrixDocument;
  readonly causes: readonly SharedCause[];
  readonly filter: MatrixFilter;
}) {
  const choices: Readonly<Record<keyof MatrixFilter, readonly (readonly [string, string])[]>> = {
    client: unique(matrix.cells.map(({ client }) => client)),
    server: unique(matrix.cells.map(({ server }) => server)),
    scenario: matrix.scenarios.filter(({ notForClients }) => notForClients === undefined).map(({ id }) => [id, id]),
    fault: unique(causes.map(({ whose }) => whose)).map(([whose]) => [
      whose,
      blamedWords[whose as keyof typeof blamedWords],
    ]),
  };
  const words: Readonly<Record<keyof MatrixFilter, string>> = {
    client: "every client",
    server: "every server",
    scenario: "every scenario",
    fault: "every fault",
  };
  return (
    <fieldset class="matrix-filters">
      <legend class="away">What is shown</legend>
      {(Object.keys(choices) as (keyof MatrixFilter)[]).map((each) => (
        <select
          aria-label={each}
          value={filter[each]}
          onChange={({ currentTarget }) =>
            refine(linkTo("matrix", [name], queryOf({ ...filter, [each]: currentTarget.value })))
          }
        >
          <option value="">{words[each]}</option>
          {choices[each].map(([value, word]) => (
            <option value={value}>{word}</option>
          ))}
        </select>
      ))}
      {Object.keys(queryOf(filter)).length > 0 && (
        <button type="button" onClick={() => refine(linkTo("matrix", [name]))}>
          Show everything
        </button>
      )}
    </fieldset>
  );
}

const unique = (texts: readonly string[]): (readonly [string, string])[] =>
  [...new Set(texts)].map((text) => [text, text]);

function WireTable({ name, table }: { readonly name: string; readonly table: PairTable }) {
  const { wire, clients, servers, rows, total } = table;
  const key = wireKey(wire);
  return (
    <section aria-labelledby={key}>
      <h2 id={key}>
        {wireTitle(wire)} <small>{scoreText(total)}</small>
      </h2>
      {/* biome-ignore lint/a11y/useSemanticElements: a table that scrolls is no group of fields */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <div class="matrix-scroll" role="group" tabIndex={0} aria-labelledby={key}>
        <table class="matrix-pairs">
          <thead>
            <tr>
              <th scope="col">
                <span class="soft">client ↓ server →</span>
              </th>
              {servers.map(({ name: server, version }) => (
                <th scope="col">
                  {server}
                  <small>{version}</small>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr>
                <th scope="row">
                  {clients[index]!.name}
                  <small>{clients[index]!.version}</small>
                </th>
                {row.map((pair) => (
                  <Pair name={name} pair={pair} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Pair({ name, pair }: { readonly name: string; readonly pair: PairScore | undefined }) {
  if (!pair)
    return (
      <td>
        <span class="away">not spoken by both</span>
      </td>
    );
  const { client, server, score } = pair;
  const grade = gradeOf(score);
  const tried = triedIn(score);
  return (
    <td class={`grade ${grade}`}>
      <a href={linkTo("matrix", [name, "pair", client, server])}>
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

function Causes({ name, causes }: { readonly name: string; readonly causes: readonly SharedCause[] }) {
  if (causes.length === 0) return null;
  return (
    <section>
      <h2>What is red, by what causes it</h2>
      <ol class="matrix-causes">
        {causes.slice(0, 200).map(({ slug, title, whose, cells, known, blame, wires }) => (
          <li>
            <a href={linkTo("matrix", [name, "cause", slug])}>
              <b class="numbers">{cells.length}</b>
              <span>
                <Said text={title} most={220} />
              </span>
            </a>
            <p class="hint">
              <b>{blamedWords[whose]}</b>{" "}
              {blame?.ambiguity !== undefined && <span class="chip">{blame.ambiguity}</span>} {wires.join(", ")}
              {known > 0 && `, ${known} known`}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

const Drivers = ({ matrix: { drivers } }: { readonly matrix: MatrixDocument }) => (
  <section>
    <h2>What took part</h2>
    <ul class="matrix-drivers">
      {drivers.map(({ name, language, package: packageName, version, absent }) => (
        <li>
          <b>{name}</b> <Said text={`${packageName} ${version}, ${language}`} />
          {absent !== undefined && (
            <small>
              did not take part: <Said text={absent} />
            </small>
          )}
        </li>
      ))}
    </ul>
  </section>
);
