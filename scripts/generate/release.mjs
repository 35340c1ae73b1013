// Freezes the promises of a version in releases/<major>.<minor>: schemas, rule sets, commands and exports.
// scripts/released.test.ts compares them with the current ones.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { schemaFolders } from "../pack/schemas.mjs";
import { readRules } from "../rules.mjs";
import { build, root, runTool } from "../steps.mjs";
import { versionOf } from "./digests.mjs";
import { interfaceOf } from "./interface.mjs";

export async function generateRelease() {
  const { version } = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8"));
  const name = version.split(".").slice(0, 2).join(".");
  const tags = execFileSync("git", ["tag", "--list", `v${name}.*`], { cwd: root, encoding: "utf8" }).trim();
  if (tags !== "") throw new Error(`${name} is released (${tags.split("\n")[0]}), so releases/${name} cannot change.`);
  const folder = join(root, "releases", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [file, schema] of Object.entries(schemasOfToday())) writeJson(join(folder, file), withoutWords(schema));
  writeJson(join(folder, "rule-sets.json"), ruleSetsOfToday());
  await build();
  const [{ createProgram }, completion] = await Promise.all([
    import("../../packages/cli/dist/main.js"),
    import("../../packages/cli/dist/completion/shell-tree.js"),
  ]);
  writeJson(join(folder, "interface.json"), interfaceOf({ createProgram, ...completion }));
  await runTool("formatting", "biome", ["format", "--write", folder], { quiet: true });
}

/** Returns the package's schemas by file name. */
export const schemasOfToday = () =>
  Object.fromEntries(
    schemaFolders.flatMap((folder) =>
      readdirSync(join(root, folder)).map((file) => [file, JSON.parse(readFileSync(join(root, folder, file), "utf8"))]),
    ),
  );

/** Returns the ids and digests of each published set. Drafts change until their text is published. */
export function ruleSetsOfToday() {
  const { catalogues, digests } = readRules();
  return Object.fromEntries(
    Object.entries(versionOf).map(([set, dialect]) => [
      set,
      { ...digests[set], rules: catalogues[dialect].map(({ id }) => id) },
    ]),
  );
}

/** Removes descriptions, which may change in any version. */
const withoutWords = (schema) =>
  JSON.parse(
    JSON.stringify(schema, (key, value) =>
      ["description", "title", "examples", "markdownDescription"].includes(key) && typeof value !== "object"
        ? undefined
        : value,
    ),
  );

const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
