import { parse } from "yaml";

/** The catalogue of rules as a module: parsing the YAML anew would cost every start a tenth of a second. */
export const catalogueOf = (header, yaml) =>
  `${header}\nimport type { Rule } from "../rules/rule.ts";\n\nexport const catalogue: readonly Rule[] = [\n${parse(
    yaml,
  )
    .map((row) => `  ${JSON.stringify(row)},\n`)
    .join("")}];\n`;
