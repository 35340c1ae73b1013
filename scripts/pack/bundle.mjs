import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "../steps.mjs";
import { optionalLibraries } from "./manifest.mjs";

/**
 * Bundles the command line, the library, and the report for browsers. Entry points share chunks, and each command loads
 * only the chunks that it needs. Returns the paths of all sources, and the bytes that are loaded before any command
 * begins.
 */
export async function bundle(folder) {
  const shared = {
    bundle: true,
    format: "esm",
    target: "node20.19",
    conditions: ["source"],
    absWorkingDir: root,
    metafile: true,
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: "warning",
  };
  const node = await build({
    ...shared,
    entryPoints: {
      main: "packages/cli/src/main.ts",
      index: "packages/library/src/index.ts",
    },
    // All chunks are in one folder below package.json, from which the version is read.
    outdir: join(folder, "dist"),
    platform: "node",
    splitting: true,
    // Loaded on demand: all are large, and one is a binary.
    external: Object.keys(optionalLibraries),
    // Some bundled packages use `require` for Node's own modules.
    banner: { js: 'import{createRequire as requireFrom}from"node:module";const require=requireFrom(import.meta.url);' },
  });
  const browser = await build({
    ...shared,
    entryPoints: { report: "packages/suite/src/report/index.ts" },
    outdir: join(folder, "dist"),
    platform: "neutral",
    mainFields: ["module", "main"],
  });
  const bin = join(root, "packages/cli/bin");
  const entryPoints = readdirSync(bin).map((name) => join(bin, name));
  await build({ entryPoints, outdir: join(folder, "bin"), format: "esm" });
  chmodSync(join(folder, "bin/assay.js"), 0o755);
  // TypeScript looks for types next to the module.
  writeFileSync(join(folder, "dist/index.d.ts"), 'export * from "../types/library/index.js";\n');
  writeFileSync(join(folder, "dist/report.d.ts"), 'export * from "../types/suite/report/index.js";\n');
  // Types of `toBeConformant` for test runners: importing one of them adds no code.
  for (const runner of ["vitest", "jest"]) {
    const types = readFileSync(join(root, `packages/library/matchers/${runner}.d.ts`), "utf8");
    writeFileSync(join(folder, `dist/${runner}.d.ts`), types.replace("@assay/library", "./index.js"));
    writeFileSync(join(folder, `dist/${runner}.js`), "export {};\n");
  }
  return {
    inputs: [...Object.keys(node.metafile.inputs), ...Object.keys(browser.metafile.inputs)],
    startBytes: loadedWith("main", node.metafile.outputs),
  };
}

/** Returns the bytes of a chunk and of everything that it imports statically. */
function loadedWith(entry, outputs) {
  const open = Object.keys(outputs).filter((path) => path.endsWith(`/dist/${entry}.js`));
  const loaded = new Set(open);
  for (let path = open.pop(); path !== undefined; path = open.pop())
    for (const { path: next, kind, external } of outputs[path].imports)
      if (kind === "import-statement" && !external && !loaded.has(next)) {
        loaded.add(next);
        open.push(next);
      }
  return [...loaded].reduce((sum, path) => sum + outputs[path].bytes, 0);
}
