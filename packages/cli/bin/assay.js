#!/usr/bin/env node
import { readFileSync } from "node:fs";

const args = process.argv.slice(2);
const [major, minor] = process.versions.node.split(".").map(Number);
// Older versions cannot load the other modules.
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Assay needs Node 20.19 or newer; this is ${process.version}.\n`);
  process.exitCode = 2;
  // Scripts ask for the version over and over, so it loads no other module.
} else if (args.length === 1 && ["--version", "-v", "-V"].includes(args[0])) {
  const { version, ruleSet } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  process.stdout.write(`${version} (rules ${ruleSet})\n`);
} else {
  const { launch, launched } = await import("./launcher.js");
  if (launched.has(args[0])) launch(args);
  else await import("./command.js");
}
