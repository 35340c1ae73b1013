// `npm run docs` serves the documentation site and reloads it on change. `npm run docs -- build` writes it to dist/docs,
// `npm run docs -- preview` serves what was written.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { generatedPages } from "./docs/generated-pages.mjs";
import { llmsText } from "./docs/llms-text.mjs";
import { install, root, runTool } from "./steps.mjs";

const [action = "dev", ...rest] = process.argv.slice(2);
if (!["dev", "build", "preview"].includes(action)) {
  process.stderr.write("Usage: npm run docs [-- dev | build | preview]\n");
  process.exit(2);
}
await install();
for (const folder of ["reference", "project", "public"])
  rmSync(join(root, "docs", folder), { recursive: true, force: true });
const pages = generatedPages();
for (const [page, text] of Object.entries({ ...pages, "public/llms.txt": llmsText(pages) })) {
  const file = join(root, "docs", page);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
const host = action === "dev" ? ["--host", "127.0.0.1"] : [];
await runTool(`documentation: ${action}`, "vitepress", [action, "docs", ...host, ...rest]);
if (action === "build") process.stderr.write("Written: dist/docs\n");
