import {
  type BlameReason,
  blamedWords,
  type Cell,
  type CellStep,
  type MatrixExchange,
  outcomeWords,
  wireTitle,
} from "@assay/matrix/view";
import type { AnswerPlace } from "@assay/suite/report";
import { safeLink } from "@assay/suite/text";
import { isAnswered } from "../../app/embedded.ts";
import { JsonView } from "../../app/json-view.tsx";
import { useLoaded } from "../../app/loaded.ts";
import { Loading, Trouble } from "../../app/notice.tsx";
import { linkTo } from "../../app/route.ts";
import { Said, Sentence } from "../../app/sentence.tsx";
import { RecordedExchange } from "../run/exchange-view.tsx";
import { outcomeLooks } from "./signs.ts";
import type { MatrixSource } from "./source.ts";
import type { MatrixView } from "./view.ts";

/**
 * Shows one scenario between two SDKs over one binding: the outcome, who caused it and why, and the exchange that
 * proves it.
 */
export function CellView({ view, id }: { readonly view: MatrixView; readonly id: string }) {
  const { source } = view;
  const loaded = useLoaded(() => source.cell(id), [source, id]);
  if (loaded.is === "loading") return <Loading />;
  if (loaded.is === "failed") return <Trouble error={loaded.error} />;
  const cell = loaded.value;
  const { client, server, scenario, outcome, because, failure, blame, known } = cell;
  const cause = view.causeOf(id);
  return (
    <>
      <h1>{scenario}</h1>
      <p>
        <a href={view.to(["pair", client, server])}>
          {client} with {server}
        </a>
        , {wireTitle(cell)}: <span class={outcomeLooks[outcome]}>{outcomeWords[outcome]}</span>
      </p>
      {(failure ?? because) !== undefined && (
        <p>
          <Sentence text={failure?.message ?? because ?? ""} begins />
        </p>
      )}
      {known && <Known known={known} />}
      {blame && (
        <section>
          <h2>
            {blame.whose === "unclear" ? "It is unclear who is at fault" : `The fault of ${blamedWords[blame.whose]}`}
          </h2>
          <p class="matrix-explained">
            <Sentence text={blame.explanation} most={2_000} />
          </p>
          <Reasons reasons={blame.reasons} />
        </section>
      )}
      {cause && (
        <p>
          <a href={view.to(["cause", cause.slug])}>
            {cause.cells.length === 1 ? "The cause" : `One cause of ${cause.cells.length} red cells`}, with a text to
            file
          </a>
        </p>
      )}
      <section>
        <h2>On the wire</h2>
        <Exchanges source={source} cell={cell} reasons={blame?.reasons ?? []} />
      </section>
      <Steps steps={cell.steps} wrong={failure?.step} />
      {cell.stderr && (
        <section>
          <h2>Last output of the programs</h2>
          {Object.entries(cell.stderr).map(([side, text]) => (
            <JsonView text={text} label={`the last lines of the ${side}`} />
          ))}
        </section>
      )}
    </>
  );
}

function Known({ known: { driver, why, issue, flaky } }: { readonly known: NonNullable<Cell["known"]> }) {
  const link = issue === undefined ? undefined : safeLink(issue);
  return (
    <p class="hint">
      Known to {driver}: <Said text={why} most={400} /> {flaky && "(flaky: it does not fail in every run) "}
      {link === undefined ? (
        <Said text={issue ?? ""} />
      ) : (
        <a href={link} rel="noreferrer">
          <Said text={link} />
        </a>
      )}
    </p>
  );
}

export const Reasons = ({ reasons }: { readonly reasons: readonly BlameReason[] }) => (
  <ul class="faults">
    {reasons.map(({ says, rule }) => (
      <li>
        <Sentence text={says} most={400} begins />
        {rule && (
          <small>
            {" "}
            <RuleLink id={rule.id} /> {rule.level},{" "}
            <a href={safeLink(rule.url) ?? "#"} rel="noreferrer">
              §{rule.section}
            </a>
            : <Sentence text={rule.text} />
          </small>
        )}
      </li>
    ))}
  </ul>
);

/** Links to the page of the rule if there is one. A file may contain only a matrix. */
const RuleLink = ({ id }: { readonly id: string }) =>
  isAnswered("/api/rules") ? <a href={linkTo("rules", [id])}>{id}</a> : <b>{id}</b>;

interface ExchangesProps {
  readonly source: MatrixSource;
  readonly cell: Pick<Cell, "failure" | "exchanges">;
  readonly reasons: readonly BlameReason[];
}

/**
 * Shows the exchanges that prove the reasons, with the wrong place marked. Without such exchanges, it shows the judged
 * one.
 */
export function Exchanges({ source, cell: { failure, exchanges }, reasons }: ExchangesProps) {
  const places = new Map<string, AnswerPlace | undefined>();
  for (const { exchange, at } of reasons)
    if (exchange !== undefined && !places.get(exchange)) places.set(exchange, at?.answer);
  const last = failure?.exchange ?? exchanges.at(-1);
  if (places.size === 0 && last !== undefined) places.set(last, undefined);
  if (places.size === 0) return <p class="hint">Nothing was recorded.</p>;
  return (
    <>
      {[...places].map(([id, place]) => (
        <OneExchange source={source} id={id} place={place} />
      ))}
    </>
  );
}

interface OneExchangeProps {
  readonly source: MatrixSource;
  readonly id: string;
  readonly place: AnswerPlace | undefined;
}

function OneExchange({ source, id, place }: OneExchangeProps) {
  const loaded = useLoaded(() => source.exchange(id), [source, id]);
  if (loaded.is === "loading") return <Loading />;
  if (loaded.is === "failed")
    return (
      <p class="hint">
        This document does not contain the exchange {id}. The page of the cause shows an exchange of another cell.
      </p>
    );
  const { breaches } = loaded.value;
  return (
    <>
      <RecordedExchange exchange={asRecorded(loaded.value)} {...(place && { place })} />
      {breaches.length > 0 && (
        <ul class="faults">
          {breaches.map(({ party, rule, severity, message }) => (
            <li>
              <span class={severity === "fail" ? "verdict fail" : "verdict warn"}>
                {party} <RuleLink id={rule} />
              </span>{" "}
              <Sentence text={message} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const asRecorded = ({ id, operation, interface: on, entry }: MatrixExchange) => ({
  event: "exchange" as const,
  id,
  ...(operation !== undefined && { operation }),
  ...(on && { interface: on }),
  entry,
});

/** Shows the calls of the program that uses the client, and the results that it received. */
export function Steps({ steps, wrong }: { readonly steps: readonly CellStep[]; readonly wrong: string | undefined }) {
  if (steps.length === 0) return null;
  return (
    <section>
      <h2>Instructions to the client</h2>
      {steps.map(({ id, op, verdict, params, answer }) => (
        <details open={id === wrong}>
          <summary>
            <span class={verdict === "pass" ? "verdict pass" : verdict === "fail" ? "verdict fail" : "verdict"}>
              {op}
            </span>{" "}
            <small>{id}</small>
          </summary>
          <div class="sides">
            <JsonView text={JSON.stringify(params ?? {})} label={`asked: ${op}`} />
            <JsonView text={JSON.stringify(answer ?? null)} label="given" />
          </div>
        </details>
      ))}
    </section>
  );
}
