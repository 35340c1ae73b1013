import { type ConformanceResult, whereOf } from "@assay/suite/report";
import { factsOf, safeLink } from "@assay/suite/text";
import { linkTo } from "../../app/route.ts";
import { Said, Sentence } from "../../app/sentence.tsx";
import { RuleWords } from "./rule-words.tsx";

/** The rule in plain words with its place, what we sent, saw and wanted, and what to change. */
export function FindingFacts({
  result,
  hasExchanges = false,
}: {
  readonly result: ConformanceResult;
  /** what was sent and seen is shown as a whole, below */
  readonly hasExchanges?: boolean;
}) {
  const { test, level, section, specUrl, title, disputed, ambiguity } = result;
  const link = safeLink(specUrl);
  return (
    <>
      <p class="meta">
        <a class="id" href={linkTo("rules", [test])}>
          {test}
        </a>
        <span class="chip">
          <Said text={whereOf(result)} />
        </span>
        <span class="chip">{level.replace("_", " ")}</span>
        {disputed && <span class="chip">contested</span>}
        {ambiguity?.map((id) => (
          <span class="chip" key={id} title="a place that can be read in two ways: docs/spec/ambiguities.md">
            {id}
          </span>
        ))}
      </p>
      <dl class="proof">
        <div>
          <dt>rule</dt>
          <dd>
            <Sentence text={title} begins />
            {". "}
            {link === undefined ? `§${section}` : <a href={link} rel="noreferrer" target="_blank">{`§${section}`}</a>}
            <RuleWords id={test} />
          </dd>
        </div>
        {factsOf(result)
          .filter(({ label }) => label !== "reproduce" && !(hasExchanges && (label === "sent" || label === "saw")))
          .map(({ label, text, isSentence }) => (
            <div key={label}>
              <dt>{label}</dt>
              {isSentence ? (
                <dd>
                  <Sentence text={text} most={3_000} begins />
                </dd>
              ) : (
                <dd class="mono">
                  <Said text={text} most={3_000} />
                </dd>
              )}
            </div>
          ))}
      </dl>
    </>
  );
}
