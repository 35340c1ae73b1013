import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../steps.mjs";

const optionalOf = (folder) =>
  JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8")).optionalDependencies;

/** What users install beside the package where they want it: the libraries of databases and queues, in the versions that are tested. */
export const optionalPeers = { ...optionalOf("storage"), ...optionalOf("fleet") };

/** The package.json that is published: no dependencies, no scripts, nothing of the workspace. */
export const manifestOf = ({ name, version, description, keywords, license, homepage, repository, bugs }) => ({
  name,
  version,
  description,
  keywords,
  license,
  homepage,
  repository,
  bugs,
  type: "module",
  engines: { node: ">=20.19" },
  bin: { assay: "bin/assay.js" },
  exports: {
    ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
    "./report": { types: "./dist/report.d.ts", default: "./dist/report.js" },
    "./schemas/*": "./schemas/*",
    "./package.json": "./package.json",
  },
  types: "./dist/index.d.ts",
  sideEffects: false,
  peerDependencies: Object.fromEntries(Object.entries(optionalPeers).map(([peer, version]) => [peer, `^${version}`])),
  peerDependenciesMeta: Object.fromEntries(Object.keys(optionalPeers).map((peer) => [peer, { optional: true }])),
});
