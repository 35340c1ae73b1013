// `npm test`: sets up what is missing, then runs every check and every test, and counts them.
// Ends with the line `N passed, N failed`. With CI=true a missing tool is a failure, never a skip.
import { browserReady } from "./browser.mjs";
import { javaReady } from "./java.mjs";
import { postgresReady } from "./postgres.mjs";
import { pythonsReady } from "./python.mjs";
import { redisReady } from "./redis.mjs";
import { bin, build, install, run } from "./steps.mjs";
import { conclude, runTests } from "./vitest.mjs";

const pythons = pythonsReady();
browserReady();
postgresReady();
redisReady();
install();
build();
const java = javaReady();
const steps = [
  ["linting", bin("biome"), ["ci", "."]],
  ["looking for dead code", bin("knip"), []],
  ["checking prose", process.execPath, ["scripts/prose.mjs"]],
];
const broken = steps.filter(([title, tool, args]) => !run(title, tool, args, { quiet: true, mayFail: true }));
await Promise.all([pythons, java]);
const { passed, failed, files, failing } = runTests("tests");
conclude({
  passed: passed + steps.length - broken.length,
  failed: failed + broken.length,
  files,
  failing: [...failing, ...broken.map(([title]) => ({ file: title }))],
});
