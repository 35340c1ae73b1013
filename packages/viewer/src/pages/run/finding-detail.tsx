import { type ConformanceResult, type FailureGroup, whereOf } from "@assay/suite/report";
import { plural } from "@assay/suite/text";
import { useState } from "preact/hooks";
import { agent, meet } from "../../app/agent.ts";
import { post } from "../../app/api.ts";
import { Copy } from "../../app/copy.tsx";
import { WireText } from "../../app/json-view.tsx";
import { Trouble } from "../../app/notice.tsx";
import { go, linkTo } from "../../app/route.ts";
import { Said, Sentence } from "../../app/sentence.tsx";
import type { RunWish } from "../../documents/runs.ts";
import { ComparedView } from "./compared-view.tsx";
import { ExchangeView } from "./exchange-view.tsx";
import { FindingFacts } from "./finding-facts.tsx";
import type { RunSource } from "./source.ts";

/** The number of exchanges to show at first. The user can unfold the others. */
const atOnce = 2;

interface FindingDetailProps {
  readonly result: ConformanceResult;
  readonly source: RunSource;
  readonly link: string;
  /** for a failure: all results with the same cause */
  readonly group: FailureGroup | undefined;
}

/** Shows one result with the exchanges that prove it. */
export function FindingDetail({ result, source, link, group }: FindingDetailProps) {
  const { message, warning, title, evidence, place, compared, repeat, enable, verdict, rootCause, info } = result;
  const [count, setCount] = useState(atOnce);
  const ids = [...new Set(evidence)].filter(source.holds);
  const isShown = ids.length > 0;
  const state = warning === undefined ? verdict : "warning";
  const exchanges = (
    <>
      {ids.slice(0, count).map((id, index) => (
        <ExchangeView key={id} id={id} source={source} {...(index === 0 && place && { place })} />
      ))}
      {ids.length > count && (
        <button type="button" onClick={() => setCount(count + 10)}>
          {plural(ids.length - count, "more exchange")} that prove it
        </button>
      )}
    </>
  );
  return (
    <article class={`finding ${state}`}>
      <h2>
        <span class={`verdict ${verdict}`}>
          <span class="away">{verdict.replace("-", " ")}: </span>
        </span>
        <Sentence text={warning ?? message ?? title} begins />
      </h2>
      <FindingFacts result={result} group={group} hasExchanges={isShown} />
      {verdict === "blocked" && rootCause !== undefined && <p class="hint">Blocked by the failure of {rootCause}.</p>}
      {enable !== undefined && (
        <p class="hint">
          To have it examined: <Sentence text={`\`${enable}\``} />
        </p>
      )}
      {info !== undefined && (
        <p class="hint">
          <Sentence text={info} begins />
        </p>
      )}
      <p class="actions">
        {source.reports && source.report.subject === "agent" && <RunAgain result={result} source={source} />}
        {repeat !== undefined && <Copy text={repeat} label="copy as curl" />}
        {isShown && (
          <button type="button" onClick={() => source.saveHar(ids)}>
            HAR
          </button>
        )}
        <Copy text={new URL(link, location.href).href} label="copy link" />
      </p>
      {repeat !== undefined && (
        <details class="repeat">
          <summary>command to reproduce it</summary>
          <WireText label="Shell command">
            <Said text={repeat} most={8_000} />
          </WireText>
        </details>
      )}
      {group && <SameCause group={group} />}
      {evidence.length > 0 && !isShown && (
        <p class="hint">
          This file does not contain the exchanges that prove it. The run itself (NDJSON) has all exchanges.
        </p>
      )}
      {compared && isShown && <ComparedView compared={compared} source={source} />}
      {compared && isShown ? (
        <details class="more">
          <summary>{plural(ids.length, "whole exchange")}</summary>
          {exchanges}
        </details>
      ) : (
        exchanges
      )}
    </article>
  );
}

/** Shows other results with the same cause, and the rules that it prevents from being examined. */
function SameCause({ group: { sightings, holdsUp } }: { readonly group: FailureGroup }) {
  const held = new Map<string, { readonly title: string; readonly places: Set<string> }>();
  for (const result of holdsUp) {
    const known = held.get(result.test) ?? { title: result.title, places: new Set() };
    known.places.add(whereOf(result));
    held.set(result.test, known);
  }
  const heldUp = [...held].map(([test, { title, places }]) => ({
    test,
    where: [...places].join(", "),
    message: title,
  }));
  return (
    <>
      <RuleLines summary={`seen in ${plural(sightings.length, "way")}`} lines={sightings} />
      <RuleLines summary={`blocks ${plural(holdsUp.length, "result")}`} lines={heldUp} />
    </>
  );
}

const RuleLines = ({ summary, lines }: { readonly summary: string; readonly lines: FailureGroup["sightings"] }) =>
  lines.length === 0 ? null : (
    <details class="more">
      <summary>{summary}</summary>
      <ul>
        {lines.map(({ test, where, message }) => (
          <li key={`${test} ${where} ${message}`}>
            <b>{test}</b>{" "}
            <span class="chip">
              <Said text={where} />
            </span>{" "}
            <Sentence text={message} begins />
          </li>
        ))}
      </ul>
    </details>
  );

/** Shows a button that tests the same rule on the same interface again. */
function RunAgain({ result, source }: { readonly result: ConformanceResult; readonly source: RunSource }) {
  const [error, setError] = useState<Error>();
  const [isAsked, setAsked] = useState(false);
  const { report } = source;
  const again = (): void => {
    setAsked(true);
    meet(report.agentUrl);
    const wish = {
      ...agent.value,
      depth: report.depth,
      only: [result.test],
      dialects: [result.dialect],
      ...(result.interface && { bindings: [result.interface.binding] }),
    } as RunWish;
    post<{ run: string }>("/api/runs", wish).then(
      ({ run }) => go(linkTo("runs", [run])),
      (refused: Error) => {
        setAsked(false);
        setError(refused);
      },
    );
  };
  return (
    <>
      <button type="button" onClick={again} disabled={isAsked} title="only this rule, on this interface">
        {isAsked ? "starting …" : "run again"}
      </button>
      {error && <Trouble error={error} />}
    </>
  );
}
