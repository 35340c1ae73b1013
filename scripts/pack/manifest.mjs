import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../steps.mjs";

/**
 * What users install beside the package where they want it, in the versions that are tested: libraries of databases and queues, of
 * an OAuth server, of traces, whatever else a workspace can do without.
 */
export const optionalPeers = Object.assign({}, ...readdirSync(join(root, "packages")).map(optionalIn));

function optionalIn(workspace) {
  const file = join(root, "packages", workspace, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).optionalDependencies : {};
}

/** The package.json that is published: no dependencies, no scripts, nothing of the workspace. */
export const manifestOf = ({ name, version, description, keywords, license }) => ({
  name,
  version,
  description,
  keywords,
  license,
  type: "module",
  engines: { node: ">=20.19" },
  bin: { "a2a-assay": "bin/assay.js", assay: "bin/assay.js" },
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
  peerDependencies: Object.fromEntries(Object.entries(optionalPeers).map(([peer, version]) => [peer, `^${version}`])),
  peerDependenciesMeta: Object.fromEntries(Object.keys(optionalPeers).map((peer) => [peer, { optional: true }])),
});
