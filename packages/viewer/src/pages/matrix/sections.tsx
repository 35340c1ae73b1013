import {
  changeWords,
  gradeSigns,
  listedChanges,
  type MatrixDocument,
  participantsOf,
  versionText,
  wireTitle,
} from "@assay/matrix/view";
import { plural } from "@assay/suite/text";
import { Said } from "../../app/sentence.tsx";
import { WideTable } from "../../app/wide-table.tsx";
import type { MatrixView } from "./view.ts";

/** The maximum number of cells to list for one kind of change. */
const most = 60;

/** Shows the changes since the earlier matrix. */
export function Since({ view: { since, to } }: { readonly view: MatrixView }) {
  if (!since) return null;
  const { counts, changes, packages, before } = since;
  return (
    <section>
      <h2>Since {before.startedAt.slice(0, 10)}</h2>
      <p>
        {counts.fixed} fixed, {counts.broken} broken, {counts.found} new, {counts.still} red in both.
      </p>
      {listedChanges.map((change) => {
        const cells = changes.filter((each) => each.change === change);
        if (cells.length === 0) return null;
        return (
          <details open={change === "broken"}>
            <summary>
              <b>{cells.length}</b> {changeWords[change]}
            </summary>
            <ul class="matrix-cells mono">
              {cells.slice(0, most).map(({ id }) => (
                <li>{change === "gone" ? id : <a href={to(["cell", id])}>{id}</a>}</li>
              ))}
            </ul>
            {cells.length > most && <p class="hint">and {cells.length - most} more</p>}
          </details>
        );
      })}
      <ul>
        {packages.map(({ driver, before: was = "not there", after: is = "gone" }) => (
          <li>
            <b>{driver}</b>: <Said text={`${was} → ${is}`} />
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Stale({ matrix: { staleKnownFailures: rows } }: { readonly matrix: MatrixDocument }) {
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>Known failures that no longer happen</h2>
      <p>Remove them from the lists of their drivers:</p>
      <ul class="matrix-drivers">
        {rows.map(({ row, cells }) => (
          <li>
            <b>{row.driver}</b> as {row.role}, {row.scenarios.join(", ")}: <Said text={row.why} />{" "}
            <small>{plural(cells, "cell")}, none red</small>
          </li>
        ))}
      </ul>
    </section>
  );
}

const grades = { passed: "all", failed: "none", "not-run": "empty" } as const;

/** Shows the relays, in which one server passes an instruction to the next. */
export function Chains({ matrix: { chains, drivers } }: { readonly matrix: MatrixDocument }) {
  if (chains.length === 0) return null;
  const versions = new Map(drivers.map((driver) => [driver.name, versionText(driver)]));
  return (
    <section>
      <h2>One instruction, relayed from server to server</h2>
      {chains.map(({ servers, edges, instructions, ...wire }) => {
        const passed = edges.filter(({ outcome }) => outcome === "passed").length;
        const byEnds = new Map(edges.map((edge) => [`${edge.from} ${edge.to}`, edge]));
        return (
          <>
            <h3>
              {wireTitle(wire)}{" "}
              <small>
                {passed} of {edges.length} steps, {plural(instructions, "instruction")}
              </small>
            </h3>
            <WideTable
              label={`relayed over ${wireTitle(wire)}`}
              look="matrix-pairs"
              head={
                <>
                  <th scope="col">
                    <span class="soft">from ↓ to →</span>
                  </th>
                  {servers.map((name) => (
                    <th scope="col">
                      {name}
                      <small>{versions.get(name)}</small>
                    </th>
                  ))}
                </>
              }
            >
              {servers.map((from) => (
                <tr>
                  <th scope="row">
                    {from}
                    <small>{versions.get(from)}</small>
                  </th>
                  {servers.map((to) => {
                    const edge = byEnds.get(`${from} ${to}`);
                    if (!edge) return <td class="nobody" />;
                    const { outcome, because } = edge;
                    return (
                      <td class={`grade ${grades[outcome]}`} data-label={to}>
                        <span>
                          <b aria-hidden="true">{gradeSigns[grades[outcome]]}</b>{" "}
                          {outcome === "not-run" ? "not run" : outcome}
                          {because !== undefined && (
                            <small>
                              <Said text={because} most={160} />
                            </small>
                          )}
                        </span>
                      </td>
                    );
                  })}
                </tr>
              ))}
            </WideTable>
          </>
        );
      })}
    </section>
  );
}

const driverColumns = ["driver", "language", "package", "version", "as"] as const;

export const Drivers = ({ view: { matrix, to } }: { readonly view: MatrixView }) => (
  <section>
    <h2>Participants</h2>
    <WideTable label="Participants" head={driverColumns.map((name) => <th scope="col">{name}</th>)}>
      {participantsOf(matrix).map(({ name, language, package: packageName, version, roles, absent }) => (
        <tr>
          <th scope="row">
            <a href={to(["sdk", name])}>{name}</a>
          </th>
          {[
            language,
            packageName,
            versionText({ version }),
            absent === undefined ? Object.keys(roles).join(", ") : `did not take part: ${absent}`,
          ].map((text, index) => (
            <td data-label={driverColumns[index + 1]}>
              <Said text={text} />
            </td>
          ))}
        </tr>
      ))}
    </WideTable>
  </section>
);
