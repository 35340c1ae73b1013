import {
  blamedWords,
  blameText,
  type MatrixDocument,
  type MatrixExchange,
  type SharedCause,
  upstreamIssues,
  wireTitle,
} from "@assay/matrix/view";
import { plural } from "@assay/suite/text";
import { Copy } from "../../app/copy.tsx";
import { WireText } from "../../app/json-view.tsx";
import { useLoaded } from "../../app/loaded.ts";
import { Said, Sentence } from "../../app/sentence.tsx";
import { Exchanges, Reasons, Steps } from "./cell.tsx";
import type { MatrixSource } from "./source.ts";
import type { MatrixView } from "./view.ts";

/** The maximum number of red cells to list. */
const most = 500;

/** Shows a cause of many red cells: who caused it and why, the exchange that proves it, and a text for an issue. */
export function CauseView({ view, cause }: { readonly view: MatrixView; readonly cause: SharedCause }) {
  const { title, whose, blame, held, cells, known, example } = cause;
  return (
    <>
      <h1>
        <Said text={title} most={400} />
      </h1>
      <p>
        <b>{blameText(cause)}</b>, {plural(cells.length, "red cell")}
        {known > 0 && `, ${known} known`}
      </p>
      <h2>{whose === "unclear" ? "Why it is unclear who is at fault" : `Why it is ${blamedWords[whose]}`}</h2>
      <p class="matrix-explained">
        <Sentence text={blame?.explanation ?? held?.says ?? "No more details recorded."} most={2_000} />
      </p>
      {blame?.ambiguity !== undefined && (
        <p>
          The unclear place is <b>{blame.ambiguity}</b> of docs/spec/ambiguities.md.
        </p>
      )}
      {blame && <Reasons reasons={blame.reasons} />}
      {held?.stderr !== undefined && (
        <WireText label="last output">
          <Said text={held.stderr} most={4_000} />
        </WireText>
      )}
      <h2>Evidence</h2>
      <p class="hint">
        {example.client} with {example.server}, {wireTitle(example)}, {example.scenario}
      </p>
      <Exchanges
        source={view.source}
        cell={held ? { exchanges: held.exchanges } : example}
        reasons={blame?.reasons ?? []}
      />
      <Told source={view.source} cause={cause} />
      <section>
        <h2>{plural(cells.length, "red cell")} of this cause</h2>
        <ul class="matrix-cells">
          {cells.slice(0, most).map((cell) => (
            <li>
              <a href={view.to(["cell", cell.id])}>{cell.scenario}</a>{" "}
              <small>
                {cell.client} with {cell.server}, {wireTitle(cell)}
                {cell.known && (
                  <>
                    ; known{cell.known.flaky && ", flaky"}: <Said text={cell.known.why} most={120} />
                  </>
                )}
              </small>
            </li>
          ))}
        </ul>
        {cells.length > most && <p class="hint">and {cells.length - most} more</p>}
      </section>
    </>
  );
}

/** Shows the steps of the program in the example, and texts for an issue with the SDK at fault. */
function Told({ source, cause }: { readonly source: MatrixSource; readonly cause: SharedCause }) {
  const loaded = useLoaded(() => told(source, cause), [source, cause]);
  if (loaded.is !== "there") return null;
  const { matrix, example } = loaded.value;
  return (
    <>
      {!cause.held && <Steps steps={example.steps} wrong={example.failure?.step} />}
      {upstreamIssues(matrix, { ...cause, example }).map(({ package: packageName, title, body }) => (
        <section>
          <h2>Report to {packageName}</h2>
          <p class="hint">Review the text before you send it to the maintainers.</p>
          <p>
            <Copy text={`${title}\n\n${body}`} label="Copy the text" />
          </p>
          <WireText label="text of the report">{`${title}\n\n${body}`}</WireText>
        </section>
      ))}
    </>
  );
}

/** Shows the example with its steps, and the exchange that an issue quotes. */
async function told(
  source: MatrixSource,
  { example, blame }: SharedCause,
): Promise<{ readonly matrix: MatrixDocument; readonly example: SharedCause["example"] }> {
  const shown = blame?.reasons.find(({ exchange }) => exchange !== undefined)?.exchange;
  const [cell, found] = await Promise.all([
    source.cell(example.id),
    shown === undefined ? undefined : source.exchange(shown).catch(() => undefined),
  ]);
  const exchanges: Record<string, MatrixExchange> = found ? { [found.id]: found } : {};
  return { matrix: { ...source.matrix, exchanges }, example: cell };
}
