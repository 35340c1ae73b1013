import { useLoaded } from "../../app/loaded.ts";
import { loadRules } from "../../app/rules.ts";
import { Sentence } from "../../app/sentence.tsx";

/** Shows Assay's text of the rule, or nothing until it is loaded. */
export function RuleWords({ id }: { readonly id: string }) {
  const rules = useLoaded(loadRules, []);
  const rule = rules.is === "there" ? rules.value.find((each) => each.id === id) : undefined;
  return rule ? (
    <span class="rule-words">
      <Sentence text={rule.text} />
    </span>
  ) : null;
}
