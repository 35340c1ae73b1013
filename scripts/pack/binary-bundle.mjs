import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "../steps.mjs";
import { optionalLibraries } from "./manifest.mjs";

/**
 * Bundles the command line into one CommonJS file, the only format that Node starts inside an executable. Optional
 * libraries are loaded from node_modules next to the executable.
 */
export const bundleForBinary = (outfile) =>
  build({
    entryPoints: ["scripts/pack/binary-entry.mjs"],
    outfile,
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20.19",
    conditions: ["source"],
    absWorkingDir: root,
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: "warning",
    external: Object.keys(optionalLibraries),
    // An executable has only `require`, which finds only Node's own modules.
    supported: { "dynamic-import": false },
    banner: {
      js: 'require=require("node:module").createRequire(process.execPath);const ownUrl=require("node:url").pathToFileURL(process.execPath).href;',
    },
    define: { "import.meta.url": "ownUrl" },
    plugins: [{ name: "version", setup: inlineVersion }],
  });

/** Inlines the version, because an executable has no package.json. */
function inlineVersion({ onLoad }) {
  const { version } = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8"));
  onLoad({ filter: /library[\\/]src[\\/]version\.ts$/ }, () => ({
    contents: `export const version = ${JSON.stringify(version)};`,
  }));
}
