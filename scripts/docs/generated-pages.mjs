import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rootPages } from "../../docs/.vitepress/links.mjs";
import { readRules } from "../rules.mjs";
import { root } from "../steps.mjs";

/** Returns the generated pages of the site by their path below docs. */
export function generatedPages() {
  const copies = Object.entries(rootPages).map(([file, page]) => [page, textOf(file)]);
  return {
    "reference/config.md": configPage(),
    "reference/rules.md": rulesPage(),
    "reference/report.md": reportPage(),
    ...Object.fromEntries(copies),
  };
}

const textOf = (file) => readFileSync(join(root, file), "utf8");
const jsonOf = (file) => JSON.parse(textOf(file));
const cell = (text) => oneLine(text).replaceAll("|", "\\|");
const oneLine = (text) => asTemplate(text.replaceAll(/\s+/g, " ").trim());

/** Escapes tags outside code, because VitePress compiles pages as Vue templates. */
const asTemplate = (text) =>
  text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 ? part : part.replaceAll("<", "&lt;").replaceAll("{{", "&#123;&#123;")))
    .join("");

// ---- assay.yaml

function configPage() {
  const schema = jsonOf("packages/cli/schemas/assay-yaml.json");
  const rows = Object.entries(schema.properties).flatMap(([key, value]) => rowsOf(key, value, schema));
  return `# assay.yaml

Put settings that never change into \`assay.yaml\` (or \`a2a-assay.yaml\`), and run \`npx a2a-assay test\` without options.

\`\`\`yaml
url: http://127.0.0.1:9999
start: npm run agent
depth: quick
requireLevel: partial
\`\`\`

\`npx a2a-assay init <url>\` writes the file for your agent. A flag on the command line wins over the file.
Your editor can check the file against \`schemas/assay-yaml.json\` in the package. This page is generated from that schema.

| key | type | meaning |
|---|---|---|
${rows.map((row) => `| \`${row.key}\` | ${row.type} | ${cell(row.text)} |`).join("\n")}
`;
}

/** Returns one row for a key, and one for each key inside it. */
function rowsOf(key, value, schema) {
  const inner = Object.entries(value.properties ?? value.items?.properties ?? {});
  const name = value.items?.properties ? `${key}[]` : key;
  const own = { key, type: typeOf(value), text: value.description ?? "" };
  // The agents of a list have the same keys as the page, so don't list those again.
  if (key === "agents") return [own];
  return [own, ...inner.flatMap(([child, each]) => rowsOf(`${name}.${child}`, each, schema))];
}

function typeOf(value) {
  if (value.enum) return [...new Set(value.enum.map(String))].map((each) => `\`${each}\``).join(", ");
  if (value.anyOf) return [...new Set(value.anyOf.map(typeOf))].join(" or ");
  if (value.const !== undefined) return `\`${value.const}\``;
  const types = [value.type ?? "any"].flat().filter((type) => type !== "null");
  if (types.includes("array")) return value.items ? `list of ${typeOf(value.items)}` : "list";
  return types.join(" or ");
}

// ---- rules

function rulesPage() {
  const listed = new Set();
  const parts = Object.entries(readRules().catalogues).map(([version, rules]) => {
    const own = rules.filter(({ id }) => !listed.has(id));
    const shared = rules.filter(({ id }) => listed.has(id)).map(({ id }) => `[${id}](#${id})`);
    for (const { id } of own) listed.add(id);
    const tables = [...new Set(own.map(areaOf))].map((area) => {
      const rows = own.filter((rule) => areaOf(rule) === area).map(ruleRow);
      return `### ${area}\n\n| rule | level | section | requirement |\n|---|---|---|---|\n${rows.join("\n")}\n`;
    });
    const asLater = shared.length === 0 ? "" : `\nThe same as in a later version: ${shared.join(", ")}.\n`;
    return `## A2A ${version}: ${rules.length} rules\n\n${tables.join("\n")}${asLater}`;
  });
  return `---
outline: 2
---

# Rules

Look up a rule id from a report here. \`explain\` says more about one rule: the check, its proof and the fix.

\`\`\`sh
npx a2a-assay explain LIST-003
\`\`\`

\`npx a2a-assay coverage\` counts the rules that a check examines.

${parts.join("\n")}`;
}

const areaOf = ({ id }) => id.replace(/-\d+$/, "");
const ruleRow = ({ id, level, section, text }) =>
  `| <span id="${id}">${id}</span> | ${level.replace("_", " ")} | ${section} | ${cell(text)} |`;

// ---- report

function reportPage() {
  const schema = jsonOf("packages/suite/schemas/report.json");
  const parts = Object.entries(schema.$defs).map(
    ([name, value]) => `## ${name}\n\n${value.description ? `${oneLine(value.description)}\n\n` : ""}${fields(value)}`,
  );
  return `# Report schema

Read these fields from the JSON report:

\`\`\`sh
npx a2a-assay test http://127.0.0.1:9999 --report json=report.json
node -p 'JSON.parse(require("fs").readFileSync("report.json", "utf8")).outcome'
\`\`\`

The JSON Schema is in the package as \`schemas/report.json\`. This page is generated from it.

## The report

${fields(schema)}
${parts.join("\n")}`;
}

function fields(value) {
  const required = new Set(value.required ?? []);
  const rows = Object.entries(value.properties ?? {}).map(
    ([name, each]) =>
      `| \`${name}\` | ${referenceOr(each)} | ${required.has(name) ? "always" : ""} | ${cell(each.description ?? "")} |`,
  );
  if (rows.length === 0) return `Type: ${referenceOr(value)}\n`;
  return `| field | type | present | meaning |\n|---|---|---|---|\n${rows.join("\n")}\n`;
}

function referenceOr(value) {
  if (value.$ref) {
    const name = value.$ref.split("/").at(-1);
    return value.$ref.startsWith("#/$defs/") ? `[${name}](#${name.toLowerCase()})` : `as \`${name}\``;
  }
  if (value.type === "array" && value.items) return `list of ${referenceOr(value.items)}`;
  return typeOf(value);
}
