// `npm run frameworks [-- <name>… ] [-- --think 2]`: sets up agents on popular frameworks (sdks/frameworks), tests each
// with `assay test --depth full`, and writes the results into docs/findings/frameworks.md.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { frameworks, paces } from "./frameworks/describe.mjs";
import { examine } from "./frameworks/examine.mjs";
import { rowOf, withRows } from "./frameworks/table.mjs";
import { build, install, root, run } from "./steps.mjs";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { think: { type: "string" } } });
const known = frameworks();
const unknown = positionals.filter((name) => !known.some((framework) => framework.name === name));
if (unknown.length > 0) {
  process.stderr.write(`There is no ${unknown.join(", ")}; there are ${known.map(({ name }) => name).join(", ")}.\n`);
  process.exit(2);
}

await install();
await build();
const page = join(root, "docs/findings/frameworks.md");
const missing = [];
for (const framework of known.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  let isSetUp = true;
  for (const [command, ...args] of framework.setup)
    isSetUp &&= await run(`setting up ${framework.name}`, command, args, { quiet: true, mayFail: true });
  if (!isSetUp) {
    missing.push(framework.name);
    continue;
  }
  for (const think of values.think === undefined ? paces : [Number(values.think)]) {
    process.stderr.write(`▸ examining ${framework.name}, which thinks for ${think} s …\n`);
    const report = await examine(framework, think);
    writeFileSync(page, withRows(readFileSync(page, "utf8"), [rowOf(framework, think, report)]));
  }
}
if (missing.length > 0) process.stderr.write(`✗ could not be set up: ${missing.join(", ")}\n`);
process.exit(missing.length > 0 ? 1 : 0);
