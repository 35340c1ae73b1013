// Runs tests and counts them: every test command ends with its slowest files and the line `N passed, N failed`.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { root, runTool } from "./steps.mjs";

/**
 * Runs vitest with these arguments. Returns the number of passed tests, the failures, and the duration of each file.
 */
export async function runTests(title, args = [], env = {}) {
  const folder = mkdtempSync(join(tmpdir(), "assay-test-"));
  const results = join(folder, "results.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${results}`];
  const isGreen = await runTool(title, "vitest", ["run", ...args, ...reporters], { mayFail: true, env });
  try {
    return tallyOf(JSON.parse(readFileSync(results, "utf8")), isGreen);
  } catch {
    process.stderr.write("The test runner left no results: it crashed.\n");
    return { passed: 0, files: [], failing: [{ file: "the test runner crashed" }] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function tallyOf({ numPassedTests: passed, testResults }, isGreen) {
  const failing = [];
  for (const { name, status, message, assertionResults } of testResults) {
    const file = relative(root, name);
    const failed = assertionResults.filter((result) => result.status === "failed");
    for (const { fullName, failureMessages } of failed)
      failing.push({ file, test: fullName, message: failureMessages[0] });
    // A file that cannot be loaded contains no failed test, but counts as a failure.
    if (status === "failed" && !failed.length) failing.push({ file, message });
  }
  // An uncaught error fails the run even if every test passed. A run without any test proves nothing, so it fails too.
  if (!failing.length && (!isGreen || passed === 0))
    failing.push({ file: "an error that no test caught, or no test at all" });
  const files = testResults.map(({ name, startTime, endTime }) => ({
    name: relative(root, name),
    seconds: (endTime - startTime) / 1000,
  }));
  return { passed, files, failing };
}

/** Adds up the results of several runs. */
export const sumOf = (tallies) => ({
  passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
  files: tallies.flatMap(({ files }) => files),
  failing: tallies.flatMap(({ failing }) => failing),
});

/** Formats a failure in one line, so that a log that keeps only its end still names it. */
const lineOf = ({ file, test, message = "" }) =>
  `Failed: ${file}${test === undefined ? "" : ` > ${test}`}: ${message.split("\n")[0].slice(0, 300)}\n`;

/** Prints the slowest files, the failures and the counts, and ends the process with the matching exit code. */
export function conclude({ passed, files, failing }) {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10);
  const lines = slowest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}\n`);
  const slow = lines.length > 0 ? `The slowest files:\n${lines.join("")}` : "";
  process.stdout.write(`${slow}${failing.map(lineOf).join("")}${passed} passed, ${failing.length} failed\n`);
  process.exit(failing.length === 0 ? 0 : 1);
}
