import { flagOf, type SettingName, settingNames, settingOf, variableOf } from "./settings.ts";

/** Generates the table of settings in docs/operations.md. */
export function settingsTable(): string {
  const headings = [...new Set(settingNames.map((name) => settingOf(name).group))];
  const below = (heading: string) => settingNames.filter((name) => settingOf(name).group === heading);
  return headings.map((heading) => section(heading, below(heading))).join("\n");
}

const section = (heading: string, names: readonly SettingName[]): string =>
  [
    `### ${heading}\n\n`,
    "| flag | environment | in a file | value | default | what it does |\n|---|---|---|---|---|---|\n",
    ...names.map(row),
  ].join("");

function row(name: SettingName): string {
  const { is, default: fallback, means, otherwise = "" } = settingOf(name);
  const cells = [
    `\`${flagOf(name)}\``,
    `\`${variableOf(name)}\``,
    `\`${name}\``,
    is.isSecret ? `${is.wants}; \`env:NAME\` or \`@file\` for a secret` : is.item ? `${is.wants}; several` : is.wants,
    fallback === undefined ? otherwise : `\`${String(fallback)}\``,
    means,
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("<", "&lt;")).join(" | ")} |\n`;
}

/** The JSON Schema of a settings file, for editors. */
export const settingsSchema = (): object => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "urn:a2a-assay:schema:assay-serve",
  title: "settings of assay serve",
  type: ["object", "null"],
  additionalProperties: false,
  properties: Object.fromEntries(
    settingNames.map((name) => {
      const { is, default: fallback, means } = settingOf(name);
      return [name, { ...is.schema, description: means, ...(fallback !== undefined && { default: fallback }) }];
    }),
  ),
});
