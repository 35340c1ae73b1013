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
});
