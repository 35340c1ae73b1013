import { parse } from "yaml";

/**
 * The rows of one version's catalogue. A row whose id stands in the catalogue of a newer version is the same rule there:
 * it says only what differs from the next newer one that has it, such as its section.
 */
export const rulesIn = (yaml, newer) => {
  const known = new Map(newer.flatMap((rules) => rules.map((rule) => [rule.id, rule])));
  return parse(yaml).map((row) => {
    const { ambiguity, since, ...same } = known.get(row.id) ?? {};
    return { ...same, ...row };
  });
};

/** A catalogue of rules as a module: parsing the YAML anew would cost every start a tenth of a second. */
export const catalogueOf = (header, rules) =>
  `${header}\nimport type { Rule } from "../rules/rule.ts";\n\nexport const catalogue: readonly Rule[] = [\n${rules
    .map((row) => `  ${JSON.stringify(row)},\n`)
    .join("")}];\n`;
