import {
  gradeOf,
  gradeSigns,
  type ScenarioTable,
  type Score,
  scenarioTables,
  scoreText,
  triedIn,
  versionText,
} from "@assay/matrix/view";
import { useMemo } from "preact/hooks";
import { Said } from "../../app/sentence.tsx";
import { WideTable } from "../../app/wide-table.tsx";
import type { MatrixView } from "./view.ts";

/** Shows every scenario with every SDK against one test bed: clients against its server, servers against its client. */
export function ScenariosView({ view }: { readonly view: MatrixView }) {
  const tables = useMemo(() => scenarioTables(view.matrix), [view]);
  return (
    <>
      <h1>Scenario × SDK against one test bed</h1>
      {tables.length === 0 && <p>No driver took part that could be the test bed.</p>}
      {tables.map((table) => (
        <Table view={view} table={table} />
      ))}
      <p class="hint">
        Passed bindings and versions out of those that ran. ✓ all, ! four of five or more, ✗ fewer, – hatched: not
        supported by the SDK; an empty cell: not applicable or not run.
      </p>
    </>
  );
}

/** Puts the scenario with the most failures first. */
const moreFailures = (one: ScenarioTable["rows"][number], other: typeof one): number =>
  failuresIn(other) - failuresIn(one);

const failuresIn = ({ scores }: ScenarioTable["rows"][number]): number =>
  scores.reduce((sum, score) => sum + (score?.failed ?? 0), 0);

function Table({
  view,
  table: { role, bed, sdks, rows },
}: {
  readonly view: MatrixView;
  readonly table: ScenarioTable;
}) {
  const title =
    role === "client"
      ? `SDK clients against the server of ${bed.name}`
      : `SDK servers against the client of ${bed.name}`;
  return (
    <section>
      <h2>{title}</h2>
      <WideTable
        label={title}
        look="matrix-pairs"
        head={
          <>
            <th scope="col">
              <span class="soft">scenario ↓ SDK →</span>
            </th>
            {sdks.map(({ name, version }) => (
              <th scope="col">
                <a href={view.to(["sdk", name])}>{name}</a>
                <small>{versionText({ version })}</small>
              </th>
            ))}
          </>
        }
      >
        {rows.toSorted(moreFailures).map(({ scenario, scores }) => (
          <tr>
            <th scope="row">
              {scenario.id}
              <small>
                <Said text={scenario.name} most={120} />
              </small>
            </th>
            {scores.map((score, column) => (
              <Place view={view} score={score} bed={bed.name} sdk={sdks[column]!.name} role={role} />
            ))}
          </tr>
        ))}
      </WideTable>
    </section>
  );
}

interface PlaceProps extends Pick<ScenarioTable, "role"> {
  readonly view: MatrixView;
  readonly score: Score | undefined;
  readonly bed: string;
  readonly sdk: string;
}

function Place({ view, score, bed, sdk, role }: PlaceProps) {
  const grade = score ? gradeOf(score) : "empty";
  if (!score || grade === "empty")
    return (
      <td class="nobody">
        <span class="away">not tried</span>
      </td>
    );
  const tried = triedIn(score);
  return (
    <td class={`grade ${grade}`} data-label={sdk}>
      <a href={view.to(role === "client" ? ["pair", sdk, bed] : ["pair", bed, sdk])}>
        <b aria-hidden="true">{gradeSigns[grade]}</b>{" "}
        <span class="numbers">{tried === 0 ? scoreText(score) : `${score.passed}/${tried}`}</span>
        <span class="away"> {sdk}</span>
      </a>
    </td>
  );
}
