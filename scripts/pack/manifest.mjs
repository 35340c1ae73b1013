import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../steps.mjs";

/**
 * Libraries that the package loads only when a command needs them, in the tested versions: databases, queues, an OAuth
 * server, traces.
 */
export const optionalLibraries = Object.assign({}, ...readdirSync(join(root, "packages")).map(optionalIn));

/**
 * Optional libraries that npm installs with the package: Node 20 has no SQLite, and `assay fleet` stores results in
 * SQLite.
 */
const installed = ["libsql"];
const isInstalled = ([name]) => installed.includes(name);
const inRange = (libraries) => Object.fromEntries(libraries.map(([name, version]) => [name, `^${version}`]));
const libraries = Object.entries(optionalLibraries);
const peers = libraries.filter((library) => !isInstalled(library));

function optionalIn(workspace) {
  const file = join(root, "packages", workspace, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).optionalDependencies : {};
}

/**
 * Returns the published package.json, without required dependencies, scripts or workspace settings. npm accepts
 * provenance only if the package names the repository that it was built in.
 */
export const manifestOf = ({ name, version, ruleSet, description, keywords, license }, repository) => ({
  name,
  version,
  // Allows `assay --version` to print the set without loading the rules.
  ruleSet,
  description,
  keywords,
  license,
  ...(repository && { repository: { type: "git", url: `git+${repository}.git` } }),
  type: "module",
  engines: { node: ">=20.19" },
  bin: { "a2a-assay": "bin/assay.js", assay: "bin/assay.js" },
  man: ["man/assay.1"],
  exports: {
    ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
    "./report": { types: "./dist/report.d.ts", default: "./dist/report.js" },
    "./vitest": { types: "./dist/vitest.d.ts", default: "./dist/vitest.js" },
    "./jest": { types: "./dist/jest.d.ts", default: "./dist/jest.js" },
    "./schemas/*": "./schemas/*",
    "./package.json": "./package.json",
  },
  types: "./dist/index.d.ts",
  sideEffects: false,
  optionalDependencies: inRange(libraries.filter(isInstalled)),
  peerDependencies: inRange(peers),
  peerDependenciesMeta: Object.fromEntries(peers.map(([peer]) => [peer, { optional: true }])),
});
