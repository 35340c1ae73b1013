// `npm test`: sets up what is missing, then runs every check and every test, and counts them.
// Ends with the line `N passed, N failed`. With CI=true a missing tool is a failure, never a skip.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { python } from "./python.mjs";
import { bin, build, install, run } from "./steps.mjs";

install();
build();
python();
for (const sdk of ["a2a-python", "a2a-python-0.3"]) python(`sdks/${sdk}`, `.setup/${sdk}`);
const steps = [
  run("linting", bin("biome"), ["ci", "."], { quiet: true, mayFail: true }),
  run("looking for dead code", bin("knip"), [], { quiet: true, mayFail: true }),
];
const folder = mkdtempSync(join(tmpdir(), "assay-test-"));
const results = join(folder, "results.json");
const green = run(
  "tests",
  bin("vitest"),
  ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${results}`],
  {
    mayFail: true,
  },
);

let passed = steps.filter(Boolean).length;
let failed = steps.length - passed;
try {
  const report = JSON.parse(readFileSync(results, "utf8"));
  passed += report.numPassedTests;
  // A file that cannot even be loaded holds no test, but is a failure.
  const broken = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  failed += report.numFailedTests + broken.length;
  // An error that no test caught fails the run, though every test passed.
  if (report.numPassedTests === 0 || (!green && failed === steps.length - steps.filter(Boolean).length)) failed += 1;
} catch {
  process.stderr.write("The test runner left no results: it crashed.\n");
  failed += 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);
