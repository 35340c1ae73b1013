import {
  blameText,
  type Cell,
  changeWords,
  isRed,
  outcomeWords,
  scoreOf,
  scoreText,
  wireKey,
  wiresOf,
  wireTitle,
} from "@assay/matrix/view";
import { plural } from "@assay/suite/text";
import { Said } from "../../app/sentence.tsx";
import { WideTable } from "../../app/wide-table.tsx";
import { outcomeLooks } from "./signs.ts";
import type { MatrixView } from "./view.ts";

/**
 * Shows one client with one server: a row for each scenario, a column for each binding and version, and why some did
 * not run.
 */
export function PairView({ view, client, server }: Readonly<{ view: MatrixView; client: string; server: string }>) {
  const { matrix } = view;
  const cells = matrix.cells.filter((cell) => cell.client === client && cell.server === server);
  if (cells.length === 0) return <p>These two were not tested with each other.</p>;
  const wires = wiresOf({ cells });
  const scenarios = matrix.scenarios.filter(({ id }) => cells.some(({ scenario }) => scenario === id));
  const red = cells.filter(isRed).length;
  return (
    <>
      <h1>
        {client} <span class="soft">with</span> {server}
      </h1>
      <p class="soft">
        client <Package view={view} name={client} />; server <Package view={view} name={server} />
      </p>
      <p class="matrix-score">
        {scoreText(scoreOf(cells))} passed{red > 0 && `, ${red} red`}
      </p>
      <WideTable
        label="Scenarios"
        look="matrix-grid"
        head={
          <>
            <th scope="col">scenario</th>
            {wires.map((wire) => (
              <th scope="col">{wireTitle(wire)}</th>
            ))}
          </>
        }
      >
        {scenarios.map(({ id, name }) => (
          <tr>
            <th scope="row">
              {id}
              <small>
                <Said text={name} most={120} />
              </small>
            </th>
            {wires.map((wire) => (
              <Outcome
                view={view}
                wire={wireTitle(wire)}
                cell={cells.find((cell) => cell.scenario === id && wireKey(cell) === wireKey(wire))}
              />
            ))}
          </tr>
        ))}
      </WideTable>
      <NotTried cells={cells} />
    </>
  );
}

function Package({ view, name }: { readonly view: MatrixView; readonly name: string }) {
  const driver = view.driver(name);
  return (
    <>
      <b>{driver?.package ?? name}</b> <Said text={driver ? `${driver.version}, ${driver.language}` : ""} />
    </>
  );
}

function Outcome({ view, wire, cell }: Readonly<{ view: MatrixView; wire: string; cell: Cell | undefined }>) {
  if (!cell) return <td />;
  const cause = view.causeOf(cell.id);
  const change = view.changeOf(cell.id);
  return (
    <td data-label={wire}>
      <a href={view.to(["cell", cell.id])}>
        <span class={outcomeLooks[cell.outcome]}>{outcomeWords[cell.outcome]}</span>
      </a>
      {cell.known && <small>{cell.known.flaky ? "known, flaky" : "known"}</small>}
      {cause && <small>{blameText(cause)}</small>}
      {change && change !== "still" && <small>{changeWords[change]}</small>}
    </td>
  );
}

/** Lists the cells that did not run, grouped by reason. */
function NotTried({ cells }: { readonly cells: readonly Cell[] }) {
  const reasons = new Map<string, Cell[]>();
  for (const cell of cells.filter((each) => each.outcome !== "passed" && !isRed(each))) {
    const reason = `${outcomeWords[cell.outcome]}: ${cell.because ?? "no reason recorded"}`;
    reasons.set(reason, [...(reasons.get(reason) ?? []), cell]);
  }
  if (reasons.size === 0) return null;
  return (
    <section>
      <h2>Not tried</h2>
      <ul class="matrix-drivers">
        {[...reasons].map(([reason, same]) => (
          <li>
            <Said text={reason} most={400} />
            <small>
              {plural(same.length, "cell")}: {[...new Set(same.map(({ scenario }) => scenario))].join(", ")}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}
