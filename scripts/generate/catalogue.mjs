import { parse } from "yaml";

/**
 * Returns the rows of one version's catalogue. A row with the id of a newer version's rule is the same rule. It
 * contains only the differences from the next newer version that has it, such as its section. The words of `requires`
 * are a closed list. An unknown word would count as met, on agents that never claimed the feature.
 */
export const rulesIn = (yaml, newer, requirements) => {
  const known = new Map(newer.flatMap((rules) => rules.map((rule) => [rule.id, rule])));
  const rules = parse(yaml).map((row) => {
    const { ambiguity, since, levelIn100, onlyWarns, ...same } = known.get(row.id) ?? {};
    return { ...same, ...row };
  });
  for (const { id, requires } of rules) {
    const unknown = requires.find((word) => !Object.hasOwn(requirements, word));
    if (unknown !== undefined)
      throw new Error(`${id} requires "${unknown}", which is no word of packages/suite/src/rules/requires.yaml.`);
  }
  return rules;
};
