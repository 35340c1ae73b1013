// The command of CI: `npm test`, every proof in its short form, then short benchmarks. Each command sets up what it
// needs. A slower benchmark is printed, but is not a failure. Ends with a total: `N passed, N failed`.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** Runs one command. Leaves out its last line and the names of its failures, which are printed at the end. */
async function tallyOf(...words) {
  const started = performance.now();
  const child = spawn("npm", ["run", "--silent", ...words], {
    stdio: ["ignore", "pipe", "inherit"],
    shell: process.platform === "win32",
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const tally = { passed: 0, failed: 0, named: [] };
  for await (const line of createInterface(child.stdout)) {
    const counts = /^(\d+) passed, (\d+) failed$/.exec(line);
    if (counts) [tally.passed, tally.failed] = counts.slice(1).map(Number);
    else if (line.startsWith("Failed: ")) tally.named.push(line);
    else process.stdout.write(`${line}\n`);
  }
  // A command that fails without a count still counts as a failure.
  if ((await ended) !== 0) tally.failed ||= 1;
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  process.stdout.write(`npm run ${words[0]}: ${tally.passed} passed, ${tally.failed} failed, ${minutes} min\n`);
  return tally;
}

const benchmarks = ["server", "suite", "report", "--short", "--against", "docs/performance.json"];
const tallies = [
  await tallyOf("test"),
  await tallyOf("prove", "--", "--all", "--short"),
  await tallyOf("bench", "--", ...benchmarks),
];
const sum = (name) => tallies.reduce((total, tally) => total + tally[name], 0);
for (const line of tallies.flatMap(({ named }) => named)) process.stdout.write(`${line}\n`);
process.stdout.write(`${sum("passed")} passed, ${sum("failed")} failed\n`);
process.exit(sum("failed") === 0 ? 0 : 1);
