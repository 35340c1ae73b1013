import { participantsOf, type Score, scoreOf, scoreText, sdkSummaries, versionText } from "@assay/matrix/view";
import { plural } from "@assay/suite/text";
import { Trouble } from "../../app/notice.tsx";
import { Said } from "../../app/sentence.tsx";
import { WideTable } from "../../app/wide-table.tsx";
import { Causes } from "./causes.tsx";
import type { MatrixView } from "./view.ts";

/** Shows one SDK to its maintainers: its scores, the failures that it causes, and how to test a change. */
export function SdkView({ view, name }: { readonly view: MatrixView; readonly name: string }) {
  const summary = sdkSummaries(view.matrix, view.causes).find(({ driver }) => driver.name === name);
  if (!summary)
    return <Trouble error={new Error("This SDK did not take part. Open the whole matrix to see all SDKs.")} />;
  const { driver, asClient, asServer, causes, failed } = summary;
  return (
    <>
      <h1>
        <Said text={`${driver.title} ${versionText(driver)}`} />
      </h1>
      <p class="soft">
        <b>{driver.package}</b>, {driver.language}
        {driver.absent !== undefined && (
          <>
            ; did not take part: <Said text={driver.absent} />
          </>
        )}
      </p>
      <p class="matrix-score">
        {[told("as a client", asClient), told("as a server", asServer)].flat().join("; ") || "nothing ran"}
      </p>
      <p>
        {causes.length === 0
          ? "No failure is the fault of this SDK."
          : `${plural(failed, "failed cell")} by ${plural(causes.length, "cause")} ${failed === 1 ? "is" : "are"} the fault of this SDK.`}
      </p>
      <section>
        <h2>Test a change</h2>
        <p>
          Copy the folder <code>sdks/{name}</code> of Assay, let its driver use your build, and run it against all
          others:
        </p>
        <pre>
          <code>
            {`npx a2a-assay matrix --check-driver <folder>\nnpx a2a-assay matrix --sdk <folder> --before matrix.json.gz`}
          </code>
        </pre>
      </section>
      <Causes title="Failures that this SDK causes" view={view} causes={causes} />
      <Peers view={view} name={name} />
    </>
  );
}

const told = (role: string, score: Score | undefined): string[] =>
  score ? [`${scoreText(score)} passed ${role}`] : [];

const peerColumns = ["peer", "as its client", "as its server"] as const;

/** Shows the scores with each other SDK. */
function Peers({ view: { matrix, to }, name }: { readonly view: MatrixView; readonly name: string }) {
  const peers = participantsOf(matrix).filter(({ absent }) => absent === undefined);
  const pair = (client: string, server: string) => {
    const cells = matrix.cells.filter((cell) => cell.client === client && cell.server === server);
    return cells.length === 0 ? "–" : <a href={to(["pair", client, server])}>{scoreText(scoreOf(cells))}</a>;
  };
  return (
    <section>
      <h2>With each SDK</h2>
      <WideTable label="With each SDK" head={peerColumns.map((column) => <th scope="col">{column}</th>)}>
        {peers.map((peer) => (
          <tr>
            <th scope="row">
              {peer.name} <small>{versionText(peer)}</small>
            </th>
            <td data-label={peerColumns[1]}>{pair(name, peer.name)}</td>
            <td data-label={peerColumns[2]}>{pair(peer.name, name)}</td>
          </tr>
        ))}
      </WideTable>
    </section>
  );
}
