// `npm run matrix`: sets every driver up, lets every client talk to every server, and writes docs/matrix: the document
// (trimmed), Markdown and the site. Words behind `--` go to `assay matrix`, as in `npm run matrix -- --resume`.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, install, root } from "./steps.mjs";

const assay = (...words) =>
  spawnSync(process.execPath, [join(root, "packages/cli/bin/assay.js"), "matrix", ...words], {
    cwd: root,
    stdio: "inherit",
  }).status;

install();
build();
if (assay("--setup") !== 0) process.exit(1);
mkdirSync(join(root, ".assay"), { recursive: true });
const whole = join(root, ".assay/matrix.json");
const code = assay("--report", `json=${whole}`, ...process.argv.slice(2));
// Red cells are what a matrix is for; whatever else went wrong leaves no document to publish.
if (code !== 0 && code !== 1) process.exit(code ?? 1);
const { matrixMarkdown, matrixSite, readMatrix, trimmed } = await import("../packages/matrix/dist/index.js");
const recorded = readMatrix(readFileSync(whole, "utf8"));
const matrix = trimmed(recorded);
const folder = join(root, "docs/matrix");
rmSync(folder, { recursive: true, force: true });
const files = [
  // Seven thousand seals are mostly digests; unpacked it would be ten times as large.
  ["matrix.json.gz", gzipSync(JSON.stringify(matrix), { level: 9 })],
  ["README.md", matrixMarkdown(matrix)],
  // Pages show the exchange of every red cell; what programs asked and got, of a few cells of each cause.
  ...[...matrixSite({ ...matrix, exchanges: recorded.exchanges })].map(([name, text]) => [join("site", name), text]),
];
for (const [name, text] of files) {
  const file = join(folder, name);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
}
process.stderr.write(`docs/matrix: ${files.length} files\n`);
