// `npm test`: sets up what is missing, then runs every check and every test, and counts them.
// Ends with the line `N passed, N failed`. With CI=true a missing tool is a failure, never a skip.
import { pythonsReady } from "./python.mjs";
import { bin, build, install, run } from "./steps.mjs";
import { conclude, runTests } from "./vitest.mjs";

const pythons = pythonsReady();
install();
build();
const steps = [
  run("linting", bin("biome"), ["ci", "."], { quiet: true, mayFail: true }),
  run("looking for dead code", bin("knip"), [], { quiet: true, mayFail: true }),
];
await pythons;
const { passed, failed, files } = runTests("tests");
const isGreen = steps.filter(Boolean).length;
conclude({ passed: passed + isGreen, failed: failed + steps.length - isGreen, files });
