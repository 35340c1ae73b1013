// Runs tests and counts them: every test command ends with its slowest files and the line `N passed, N failed`.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { bin, root, run } from "./steps.mjs";

/** What became of the tests in these files and folders; all there are, unless some are named. */
export function runTests(title, { files = [], env = {} } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "assay-test-"));
  const results = join(folder, "results.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${results}`];
  const green = run(title, bin("vitest"), ["run", ...files, ...reporters], { mayFail: true, env });
  try {
    return tallyOf(JSON.parse(readFileSync(results, "utf8")), green);
  } catch {
    process.stderr.write("The test runner left no results: it crashed.\n");
    return { passed: 0, failed: 1, files: [], failures: ["the test runner crashed"] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function tallyOf({ numPassedTests: passed, numFailedTests, testResults }, green) {
  // A file that cannot even be loaded holds no failed test, but is a failure.
  const hasFailed = ({ status }) => status === "failed";
  const broken = testResults.filter((file) => hasFailed(file) && !file.assertionResults.some(hasFailed));
  const failed = numFailedTests + broken.length;
  const files = testResults.map(({ name, startTime, endTime }) => ({
    name: relative(root, name),
    seconds: (endTime - startTime) / 1000,
  }));
  const failures = [
    ...broken.map(({ name, message }) => failureOf(name, "cannot be loaded", message)),
    ...testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(hasFailed)
        .map(({ fullName, failureMessages }) => failureOf(name, fullName, failureMessages[0])),
    ),
  ];
  // An error that no test caught fails the run, though every test passed; and where nothing ran, nothing was proven.
  const isUntold = failed === 0 && (!green || passed === 0);
  if (isUntold) failures.push("an error that no test caught, or no test at all");
  return { passed, failed: failed + (isUntold ? 1 : 0), files, failures };
}

/** One line: a log that keeps only its end still names what failed. */
const failureOf = (file, test, message = "") =>
  `${relative(root, file)} > ${test}: ${message.split("\n")[0].slice(0, 300)}`;

/** Says where the time went and how it ended, and ends with the exit code that belongs to it. */
export function conclude({ passed, failed, files, failures }) {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10);
  const lines = slowest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}\n`);
  const named = failures.map((failure) => `Failed: ${failure}\n`);
  process.stdout.write(`The slowest files:\n${lines.join("")}${named.join("")}${passed} passed, ${failed} failed\n`);
  process.exit(failed === 0 ? 0 : 1);
}
