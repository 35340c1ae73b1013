// Makes the viewer: packages/viewer/src/app and all it imports become dist/asset.js, one script and one style sheet as text.
// Part of `npm run build`, and of every run of vitest (`globalSetup`), so that no test sees an old one.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const target = join(root, "packages/viewer/dist/asset.js");
/** Every file that went into it, with its digest. */
const stamp = join(root, "packages/viewer/dist/asset.json");
const icon = "packages/viewer/src/icon.svg";
const own = "scripts/viewer.mjs";

// biome-ignore lint/style/noDefaultExport: vitest calls the default export before the tests
export default async function buildViewer() {
  if (isFresh()) return;
  const { outputFiles, metafile } = await build({
    entryPoints: ["packages/viewer/src/app/main.tsx"],
    absWorkingDir: root,
    bundle: true,
    write: false,
    outdir: "packages/viewer/dist",
    metafile: true,
    minify: true,
    // A policy names the script by its digest, and `</script>` in a string would end it.
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
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(
    target,
    Object.entries(parts)
      .map(([name, text]) => `export const ${name} = ${JSON.stringify(text)};\n`)
      .join(""),
  );
  const inputs = [...Object.keys(metafile.inputs), icon, own];
  writeFileSync(stamp, JSON.stringify(Object.fromEntries(inputs.map((file) => [file, digestOfFile(file)]))));
}

function isFresh() {
  if (!existsSync(target) || !existsSync(stamp)) return false;
  return Object.entries(JSON.parse(readFileSync(stamp, "utf8"))).every(
    ([file, digest]) => digestOfFile(file) === digest,
  );
}

const digestOf = (content, encoding) => createHash("sha256").update(content).digest(encoding);

const digestOfFile = (file) =>
  existsSync(join(root, file)) ? digestOf(readFileSync(join(root, file)), "hex") : undefined;

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildViewer();
