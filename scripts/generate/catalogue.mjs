import { parse } from "yaml";

/**
 * The rows of one version's catalogue. A row whose id stands in the catalogue of a newer version is the same rule there:
 * it says only what differs from the next newer one that has it, such as its section. What a rule requires is a closed
 * vocabulary: a word that no precondition answers to would count as met, on agents that never claimed the thing.
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
