import { type ConformanceResult, type FailureGroup, knownFaultText, weightText, whereOf } from "@assay/suite/report";
import { factsOf, safeLink } from "@assay/suite/text";
import { isAnswered } from "../../app/embedded.ts";
import { useLoaded } from "../../app/loaded.ts";
import { linkTo } from "../../app/route.ts";
import { loadRules } from "../../app/rules.ts";
import { Said, Sentence } from "../../app/sentence.tsx";

/** Shows Assay's text of the rule, or nothing until it is loaded. */
function RuleWords({ id }: { readonly id: string }) {
  const rules = useLoaded(loadRules, []);
  const rule = rules.is === "there" ? rules.value.find((each) => each.id === id) : undefined;
  return rule ? (
    <span class="rule-words">
      <Sentence text={rule.text} />
    </span>
  ) : null;
}

interface FindingFactsProps {
  readonly result: ConformanceResult;
  readonly group?: FailureGroup | undefined;
  /** the whole exchange is shown below */
  readonly hasExchanges?: boolean;
}

/** Shows the rule in plain words with its place, the request, the observed and expected behaviour, and the fix. */
export function FindingFacts({ result, group, hasExchanges = false }: FindingFactsProps) {
  const { test, section, specUrl, title } = result;
  const link = safeLink(specUrl);
  return (
    <>
      <Chips result={result} group={group} />
      <dl class="proof">
        <div>
          <dt>{section === "" ? "property" : "rule"}</dt>
          <dd>
            <Sentence text={title} begins />
            {section === "" ? "." : ". "}
            {section === "" ? null : link === undefined ? (
              `§${section}`
            ) : (
              <a href={link} rel="noreferrer" target="_blank">{`§${section}`}</a>
            )}
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

/** Shows short facts about a result: the rule, its place, its level and other labels. */
function Chips({ result, group }: { readonly result: ConformanceResult; readonly group: FailureGroup | undefined }) {
  const { test, level, disputed, ambiguity, knownFault, expected, tags } = result;
  const weighs = group && weightText[group.weight];
  return (
    <p class="meta">
      {isAnswered("/api/rules") ? (
        <a class="id" href={linkTo("rules", [test])}>
          {test}
        </a>
      ) : (
        <b class="id">{test}</b>
      )}
      <span class="chip">
        <Said text={whereOf(result)} />
      </span>
      <span class="chip">{level.replace("_", " ")}</span>
      {weighs !== undefined && <span class="chip is-fail">{weighs}</span>}
      {group !== undefined && group.also.length > 0 && (
        <span class="chip">
          also <Said text={group.also.join(", ")} most={120} />
        </span>
      )}
      {tags?.map((tag) => (
        <span class="chip" key={tag}>
          {tag}
        </span>
      ))}
      {disputed && <span class="chip">contested</span>}
      {knownFault && (
        <span class="chip">
          <Said text={knownFaultText(knownFault)} />
        </span>
      )}
      {expected !== undefined && (
        <span class="chip">
          expected: <Said text={expected} most={120} />
        </span>
      )}
      {ambiguity?.map((id) => (
        <span class="chip" key={id} title="an ambiguous place in the specification: docs/spec/ambiguities.md">
          {id}
        </span>
      ))}
    </p>
  );
}
