// Bundles the viewer: packages/viewer/src/app becomes dist/asset.js, with one script and one style sheet as text.
// `npm run build` and every run of vitest (`globalSetup`) call it, so that no test uses an old one.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { digestOf, isFresh, root, writeMade } from "./made-from.mjs";

const target = "packages/viewer/dist/asset.js";
const icon = "packages/viewer/src/icon.svg";
const own = "scripts/viewer.mjs";

// biome-ignore lint/style/noDefaultExport: vitest calls the default export before the tests
export default async function buildViewer() {
  if (isFresh(target)) return;
  const { outputFiles, metafile } = await build({
    entryPoints: ["packages/viewer/src/app/main.tsx"],
    absWorkingDir: root,
    bundle: true,
    write: false,
    outdir: "packages/viewer/dist",
    metafile: true,
    minify: true,
    // The page's content security policy names the script by its digest, and `</script>` in a string would end it.
    charset: "ascii",
    format: "iife",
    target: "es2022",
    platform: "browser",
    conditions: ["source"],
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "warning",
  });
  const textOf = (end) => outputFiles.find(({ path }) => path.endsWith(end)).text;
  const [script, style] = [textOf(".js"), textOf(".css")];
  const parts = {
    script,
    style,
    scriptDigest: digestOf(script, "base64"),
    styleDigest: digestOf(style, "base64"),
    icon: readFileSync(join(root, icon), "utf8"),
  };
  const text = Object.entries(parts).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`);
  writeMade(target, text.join(""), [...Object.keys(metafile.inputs), icon, own]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildViewer();
