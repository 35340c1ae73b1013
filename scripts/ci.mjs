// What CI runs: `npm test` as the README has it, then everything that takes longer. Each command sets up for itself what
// it needs. Ends with one line for all of them: `N passed, N failed`.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const commands = [
  "test",
  "lint:deploy",
  "prove",
  "test:fuzz",
  "test:corpus",
  "test:package",
  "crash",
  "soak",
  "fleet:proof",
];
/** `npm run crash` kills each server fifty times, `npm run soak` takes ten minutes for each store, `npm run fleet:proof` has 300 agents: here it is less. */
const short = {
  crash: { ASSAY_KILLS: "10" },
  soak: { SOAK_MINUTES: "0.25", SOAK_STREAMS: "200", SOAK_SUBSCRIBERS: "100", SOAK_ABUSE_SECONDS: "2" },
  "fleet:proof": { ASSAY_AGENTS: "60" },
};
const npm = process.platform === "win32" ? "npm.cmd" : "npm";

/** Runs one of them; its own last line is held back, to be told with its name. */
async function tallyOf(command) {
  const startedAt = Date.now();
  const child = spawn(npm, ["run", "--silent", command], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...short[command] },
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const tally = { passed: 0, failed: 0, named: [] };
  for await (const line of createInterface(child.stdout)) {
    const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(line) ?? [];
    if (/^(Failed|Unsteady): /.test(line)) tally.named.push(line);
    if (passed === undefined) process.stdout.write(`${line}\n`);
    else Object.assign(tally, { passed: Number(passed), failed: Number(failed) });
  }
  // Whoever fails without a word of it has failed all the same.
  if ((await ended) !== 0 && tally.failed === 0) tally.failed = 1;
  const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
  process.stdout.write(`npm run ${command}: ${tally.passed} passed, ${tally.failed} failed, ${minutes} min\n`);
  return tally;
}

let passed = 0;
let failed = 0;
const named = [];
for (const command of commands) {
  const tally = await tallyOf(command);
  passed += tally.passed;
  failed += tally.failed;
  named.push(...tally.named);
}
for (const failure of named) process.stdout.write(`${failure}\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
