import {
  type Cell,
  type MatrixDocument,
  outcomeWords,
  scoreOf,
  scoreText,
  wireKey,
  wiresOf,
  wireTitle,
} from "@assay/matrix/view";
import { linkTo } from "../../app/route.ts";
import { Said } from "../../app/sentence.tsx";
import { outcomeLooks } from "./signs.ts";

/** One client with one server: scenarios down, wires across. */
export function PairView({
  name,
  matrix,
  client,
  server,
}: {
  readonly name: string;
  readonly matrix: MatrixDocument;
  readonly client: string;
  readonly server: string;
}) {
  const cells = matrix.cells.filter((cell) => cell.client === client && cell.server === server);
  const wires = wiresOf({ cells });
  const scenarios = matrix.scenarios.filter(({ id }) => cells.some(({ scenario }) => scenario === id));
  const at = (scenario: string, wire: string): Cell | undefined =>
    cells.find((cell) => cell.scenario === scenario && wireKey(cell) === wire);
  if (cells.length === 0) return <p>These two were not tried with each other.</p>;
  return (
    <>
      <h1>
        {client} <span class="soft">with</span> {server}
      </h1>
      <p class="matrix-score">{scoreText(scoreOf(cells))} passed</p>
      {/* biome-ignore lint/a11y/useSemanticElements: a table that scrolls is no group of fields */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
      <div class="matrix-scroll" role="group" tabIndex={0} aria-label="Scenarios">
        <table class="matrix-grid">
          <thead>
            <tr>
              <th scope="col">scenario</th>
              {wires.map((wire) => (
                <th scope="col">{wireTitle(wire)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {scenarios.map(({ id, name: title }) => (
              <tr>
                <th scope="row">
                  {id}
                  <small>
                    <Said text={title} most={120} />
                  </small>
                </th>
                {wires.map((wire) => (
                  <Outcome name={name} cell={at(id, wireKey(wire))} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Outcome({ name, cell }: { readonly name: string; readonly cell: Cell | undefined }) {
  if (!cell) return <td />;
  return (
    <td>
      <a href={linkTo("matrix", [name, "cell", cell.id])}>
        <span class={outcomeLooks[cell.outcome]}>{outcomeWords[cell.outcome]}</span>
      </a>
      {cell.known && <small>known</small>}
    </td>
  );
}
