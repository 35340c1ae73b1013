import {
  blamedWords,
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
import { linkTo } from "../../app/route.ts";
import { Said, Sentence } from "../../app/sentence.tsx";
import { OneExchange, Reasons } from "./cell.tsx";
import type { MatrixSource } from "./source.ts";

/** One cause of many red cells: whose it is and why, the exchange that shows it, and a text to file. */
export function CauseView({
  name,
  source,
  cause,
}: {
  readonly name: string;
  readonly source: MatrixSource;
  readonly cause: SharedCause;
}) {
  const { title, whose, blame, held, cells, known, example } = cause;
  const shown = blame?.reasons.find(({ exchange }) => exchange !== undefined);
  return (
    <>
      <h1>
        <Said text={title} most={400} />
      </h1>
      <p>
        <b>{blamedWords[whose]}</b>, {plural(cells.length, "red cell")}
        {known > 0 && `, ${known} known`}
      </p>
      <p class="matrix-explained">
        <Sentence text={blame?.explanation ?? held?.says ?? "Nothing more was recorded."} most={2_000} />
      </p>
      {blame?.ambiguity !== undefined && (
        <p>
          The unclear place is <b>{blame.ambiguity}</b> of docs/spec/ambiguities.md.
        </p>
      )}
      {blame && <Reasons reasons={blame.reasons} />}
      {held?.stderr !== undefined && (
        <WireText label="what it wrote last">
          <Said text={held.stderr} most={4_000} />
        </WireText>
      )}
      {shown?.exchange !== undefined && (
        <section>
          <h2>What shows it</h2>
          <OneExchange source={source} id={shown.exchange} place={shown.at?.answer} />
        </section>
      )}
      <Issues source={source} cause={cause} exchange={shown?.exchange} />
      <section>
        <h2>{plural(cells.length, "red cell")} of this cause</h2>
        <ul class="matrix-cells">
          {cells.slice(0, 300).map((cell) => (
            <li>
              <a href={linkTo("matrix", [name, "cell", cell.id])}>{cell.scenario}</a>{" "}
              <small>
                {cell.client} with {cell.server}, {wireTitle(cell)}
              </small>
            </li>
          ))}
        </ul>
        {cells.length > 300 && <p class="hint">and {cells.length - 300} more</p>}
      </section>
      <p class="hint">
        Met first by {example.client} with {example.server}.
      </p>
    </>
  );
}

/** Ready to be filed with the SDK at fault. */
function Issues({
  source,
  cause,
  exchange,
}: {
  readonly source: MatrixSource;
  readonly cause: SharedCause;
  readonly exchange: string | undefined;
}) {
  const loaded = useLoaded(() => told(source, cause, exchange), [source, cause, exchange]);
  if (loaded.is !== "there") return null;
  const { matrix, example } = loaded.value;
  return (
    <>
      {upstreamIssues(matrix, { ...cause, example }).map(({ package: packageName, title, body }) => (
        <section>
          <h2>To be filed with {packageName}</h2>
          <p class="hint">Read it before you send it: the maintainers will.</p>
          <p>
            <Copy text={`${title}\n\n${body}`} label="Copy the text" />
          </p>
          <WireText label="text to be filed">{`${title}\n\n${body}`}</WireText>
        </section>
      ))}
    </>
  );
}

/** The example with its steps, and the exchange that it quotes. */
async function told(
  source: MatrixSource,
  { example }: SharedCause,
  exchange: string | undefined,
): Promise<{ readonly matrix: MatrixDocument; readonly example: SharedCause["example"] }> {
  const [cell, found] = await Promise.all([
    source.cell(example.id),
    exchange === undefined ? undefined : source.exchange(exchange).catch(() => undefined),
  ]);
  const exchanges: Record<string, MatrixExchange> = found ? { [found.id]: found } : {};
  return { matrix: { ...source.matrix, exchanges }, example: cell };
}
