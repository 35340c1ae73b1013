// Makes packages/suite/dist/rules.js from the YAML of the rules, because parsing it would add a tenth of a second to
// every start. `npm run build` and every run of vitest (`globalSetup`) call it, so that no test uses an old one.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rulesIn } from "./generate/catalogue.mjs";
import { causesIn } from "./generate/causes.mjs";
import { digestsOf } from "./generate/digests.mjs";
import { requirementsIn } from "./generate/requirements.mjs";
import { severityIn } from "./generate/severity.mjs";
import { isFresh, root, writeMade } from "./made-from.mjs";

const folder = "packages/suite/src/rules";
const target = "packages/suite/dist/rules.js";
const scripts = ["catalogue", "causes", "digests", "requirements", "severity"];

/** Reads and validates all files of the rules. */
export function readRules() {
  const textOf = (name) => readFileSync(join(root, folder, `${name}.yaml`), "utf8");
  const requirements = requirementsIn(textOf("requires"));
  const catalogues = {};
  for (const version of ["1.0", "0.3", "0.2", "0.1"])
    catalogues[version] = rulesIn(textOf(version), Object.values(catalogues), requirements);
  // Each draft has its own file, named after its rule set. Its rules have the form of 1.0.
  const drafts = Object.fromEntries(
    draftNames().map((name) => [
      name,
      rulesIn(textOf(name), [], requirements).map((rule) => ({ ...rule, since: name })),
    ]),
  );
  const all = { ...catalogues, "1.0": [...catalogues["1.0"], ...Object.values(drafts).flat()] };
  const severity = severityIn(textOf("severity"), all);
  const causes = causesIn(textOf("causes"), all);
  const digests = digestsOf(catalogues, drafts, severity, causes);
  return { requirements, catalogues, drafts, severity, causes, digests };
}

const draftNames = () =>
  readdirSync(join(root, folder)).flatMap((file) => /^(\d+\.\d+-draft\d+)\.yaml$/.exec(file)?.[1] ?? []);

// biome-ignore lint/style/noDefaultExport: vitest calls the default export before the tests
export default function buildRules() {
  const yaml = readdirSync(join(root, folder)).filter((file) => file.endsWith(".yaml"));
  const inputs = [
    ...yaml.map((file) => `${folder}/${file}`),
    ...scripts.map((name) => `scripts/generate/${name}.mjs`),
    "scripts/rules.mjs",
  ];
  if (isFresh(target, inputs)) return;
  const { catalogues, drafts, severity, causes, digests } = readRules();
  const parts = { catalogues, drafts, ...severity, causes, digests };
  const text = Object.entries(parts).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`);
  writeMade(target, text.join(""), inputs);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildRules();
