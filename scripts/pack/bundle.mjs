import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "../steps.mjs";
import { optionalLibraries } from "./manifest.mjs";

/**
 * Several ways in, one set of chunks: the command line, the library, and the report for browsers. What a command does not
 * use it does not load. Gives the paths of everything that went into it, and how many bytes are loaded before any
 * command begins.
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
    // All chunks in one folder below package.json: that is where the version is read from.
    outdir: join(folder, "dist"),
    platform: "node",
    splitting: true,
    // Loaded on demand: one is a binary, and all are large.
    external: Object.keys(optionalLibraries),
    // Some of what is bundled is written for `require`, and asks it for Node's own modules.
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
  // Types are looked up beside what they describe.
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

/** The bytes of a chunk and of all that it loads at once; what is imported on demand does not count. */
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
