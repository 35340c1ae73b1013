import { useLoaded } from "../../app/loaded.ts";
import { loadRules } from "../../app/rules.ts";
import { Sentence } from "../../app/sentence.tsx";

/** What the rule says, in our words; nothing while it is not there. */
export function RuleWords({ id }: { readonly id: string }) {
  const rules = useLoaded(loadRules, []);
  const rule = rules.is === "there" ? rules.value.find((each) => each.id === id) : undefined;
  return rule ? (
    <span class="rule-words">
      <Sentence text={rule.text} />
    </span>
  ) : null;
}
