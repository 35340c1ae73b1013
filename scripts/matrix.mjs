// `npm run matrix`: sets every driver up, lets every client talk to every server, and writes
//   docs/matrix/README.md    the score of each SDK, on one screen (committed)
//   docs/matrix/details.md   the tables and the causes (committed)
//   docs/matrix/matrix.webp  a picture of the first page (committed; needs Chromium)
//   dist/matrix              the page and the trimmed document, compressed (attached to releases, not committed)
// Arguments after `--` go to `assay matrix`, as in `npm run matrix -- --resume`. A filtered matrix writes only dist/matrix.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { browserReady } from "./browser.mjs";
import { pictureOf, withBrowser } from "./pictures.mjs";
import { build, install, root } from "./steps.mjs";

const assay = (...words) =>
  spawnSync(process.execPath, [join(root, "packages/cli/bin/assay.js"), "matrix", ...words], {
    cwd: root,
    stdio: "inherit",
  }).status;

await install();
await build();
if (assay("--setup") !== 0) process.exit(1);
const made = join(root, "dist/matrix");
mkdirSync(made, { recursive: true });
const whole = join(made, "whole.json");
const code = assay("--report", `json=${whole}`, ...process.argv.slice(2));
// A matrix may have red cells (exit code 1). Any other error leaves no document to publish.
if (code !== 0 && code !== 1) process.exit(code ?? 1);
const { matrixMarkdown, matrixPage, matrixReadme, readMatrix, trimmed } = await import(
  "../packages/matrix/dist/index.js"
);
const recorded = readMatrix(readFileSync(whole, "utf8"));
const matrix = trimmed(recorded);
const folder = join(root, "docs/matrix");
const picture = "![The first page of the matrix](matrix.webp)";
const more = `[matrix.md](../matrix.md) explains how to read and repeat it. Every release has the page (\`matrix.html\`) and the document (\`matrix.json.gz\`) attached; \`npm run matrix\` makes them in \`dist/matrix\`.
The page also has scenario × SDK against one test bed, and an entry for your SDK. [drivers.md](../drivers.md) explains how to test a change of an SDK.
`;
// Its seven thousand seals are mostly digests, so it would be ten times as large without compression.
writeFileSync(join(made, "matrix.json.gz"), gzipSync(JSON.stringify(matrix), { level: 9 }));
// The page contains the exchange of every red cell, but the programs' inputs and results only for a few cells of each
// cause.
writeFileSync(join(made, "index.html"), matrixPage({ ...matrix, exchanges: recorded.exchanges }));
// The committed pages show the last whole matrix.
if (matrix.partial !== undefined) {
  process.stderr.write(
    `dist/matrix is written. docs/matrix is unchanged, because this is a part: ${matrix.partial}.\n`,
  );
  process.exit();
}
const readme = matrixReadme(matrix, { details: "details.md" });
const [title, intro, ...rest] = readme.split("\n\n");
writeFileSync(join(folder, "README.md"), `${[title, intro, picture, ...rest].join("\n\n")}\n${more}`);
writeFileSync(join(folder, "details.md"), matrixMarkdown(matrix));
await browserReady();
await withBrowser(async (page) => {
  await page.goto(pathToFileURL(join(made, "index.html")).href);
  await page.waitForSelector(".matrix-pairs");
  writeFileSync(join(folder, "matrix.webp"), await pictureOf(page));
});
process.stderr.write("docs/matrix and dist/matrix are written.\n");
