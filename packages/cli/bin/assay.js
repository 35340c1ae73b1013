#!/usr/bin/env node
import { version } from "../dist/version.js";

const args = process.argv.slice(2);
// Asked by scripts over and over: the version alone needs none of what the commands need.
if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) process.stdout.write(`${version}\n`);
else await main();

async function main() {
  const { run } = await import("../dist/main.js");
  // A promise that nobody waited for is a mistake of ours. Node would end the process with 1, which says "not conformant";
  // the run goes on instead, and what it found is told.
  let stumbled = false;
  process.on("unhandledRejection", (error) => {
    stumbled = true;
    process.stderr.write(`assay: this is our own fault: ${error instanceof Error ? error.message : error}\n`);
  });

  const code = await run(args);
  process.exitCode = code === 0 && stumbled ? 3 : code;
}
