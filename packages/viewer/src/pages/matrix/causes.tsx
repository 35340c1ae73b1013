import { blameText, type SharedCause } from "@assay/matrix/view";
import { plural } from "@assay/suite/text";
import { Said } from "../../app/sentence.tsx";
import type { MatrixView } from "./view.ts";

interface CausesProps {
  readonly title: string;
  readonly view: MatrixView;
  readonly causes: readonly SharedCause[];
}

/** Lists causes of failures, each with its number of cells and the side at fault. */
export function Causes({ title, view, causes }: CausesProps) {
  if (causes.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ol class="matrix-causes">
        {causes.slice(0, 200).map((cause) => (
          <Cause view={view} cause={cause} />
        ))}
      </ol>
    </section>
  );
}

function Cause({ view, cause }: { readonly view: MatrixView; readonly cause: SharedCause }) {
  const { slug, title, cells, known, blame, wires, clients, servers, scenarios } = cause;
  const rules = (blame?.reasons ?? []).slice(0, 2).flatMap(({ rule }) => rule ?? []);
  return (
    <li>
      <a href={view.to(["cause", slug])}>
        <b class="numbers">{cells.length}</b>
        <span>
          <Said text={title} most={220} />
        </span>
      </a>
      <p class="hint">
        <b>{blameText(cause)}</b> {blame?.ambiguity !== undefined && <span class="chip">{blame.ambiguity}</span>}{" "}
        {rules.map(({ id, section }) => (
          <>
            <span class="chip">
              {id} §{section}
            </span>{" "}
          </>
        ))}
        {wires.join(", ")}; {plural(clients.length, "client")}, {plural(servers.length, "server")},{" "}
        {plural(scenarios.length, "scenario")}
        {known > 0 && `, ${known} known`}
      </p>
    </li>
  );
}
