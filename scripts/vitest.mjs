// Runs tests and counts them: every test command ends with its slowest files and the line `N passed, N failed`.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { bin, root, run } from "./steps.mjs";

/** More failures than these are no accident of a busy machine. */
const few = 5;
/** Where a failure says that an agent without fault was accused. An accusation is never given a second try. */
const accusations =
  /^e2e\/(proof\/(good-agents|variants|plain|third-party|third-party-older|moody|permissions)|surroundings\/)/;

/**
 * What became of the tests in these files and folders; all there are, unless some are named. The files of a few that failed
 * beside the others are run once more, alone: what passes then counts as passed, and is named as unsteady.
 */
export function runTests(title, { files: asked = [], env = {} } = {}) {
  const first = runOnce(title, asked, env);
  if (first.failing.length !== first.failed || first.failed === 0 || first.failed > few) return first;
  if (first.failing.some(({ file, test }) => test === undefined || accusations.test(file))) return first;
  // Whole files: a test may go on where the one before it has ended.
  const files = [...new Set(first.failing.map(({ file }) => file))];
  const second = runOnce("what failed, once more and alone", [...files, "--maxWorkers=1"], env);
  const hasPassed = ({ file, test }) => second.passing.has(`${file} > ${test}`);
  for (const one of first.failing.filter(hasPassed)) process.stdout.write(`Unsteady: ${told(one)}\n`);
  const failing = first.failing.filter((one) => !hasPassed(one));
  return { ...first, passed: first.passed + first.failed - failing.length, failed: failing.length, failing };
}

function runOnce(title, args, env) {
  const folder = mkdtempSync(join(tmpdir(), "assay-test-"));
  const results = join(folder, "results.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${results}`];
  const green = run(title, bin("vitest"), ["run", ...args, ...reporters], { mayFail: true, env });
  try {
    return tallyOf(JSON.parse(readFileSync(results, "utf8")), green);
  } catch {
    process.stderr.write("The test runner left no results: it crashed.\n");
    return { passed: 0, failed: 1, files: [], failing: [{ file: "the test runner crashed" }], passing: new Set() };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function tallyOf({ numPassedTests: passed, testResults }, green) {
  const failing = [];
  const passing = new Set();
  for (const { name, status, message, assertionResults } of testResults) {
    const file = relative(root, name);
    const failed = assertionResults.filter((result) => result.status === "failed");
    for (const { fullName, failureMessages } of failed)
      failing.push({ file, test: fullName, message: failureMessages[0] });
    // A file that cannot even be loaded holds no failed test, but is a failure.
    if (status === "failed" && !failed.length) failing.push({ file, message });
    for (const result of assertionResults) if (result.status === "passed") passing.add(`${file} > ${result.fullName}`);
  }
  // An error that no test caught fails the run, though every test passed; and where nothing ran, nothing was proven.
  if (!failing.length && (!green || passed === 0))
    failing.push({ file: "an error that no test caught, or no test at all" });
  const files = testResults.map(({ name, startTime, endTime }) => ({
    name: relative(root, name),
    seconds: (endTime - startTime) / 1000,
  }));
  return { passed, failed: failing.length, files, failing, passing };
}

/** One line: a log that keeps only its end still names what failed. */
const told = ({ file, test, message = "" }) =>
  `${file}${test === undefined ? "" : ` > ${test}`}: ${message.split("\n")[0].slice(0, 300)}`;

/** Says where the time went and how it ended, and ends with the exit code that belongs to it. */
export function conclude({ passed, failed, files, failing }) {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10);
  const lines = slowest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}\n`);
  const named = failing.map((failure) => `Failed: ${told(failure)}\n`);
  process.stdout.write(`The slowest files:\n${lines.join("")}${named.join("")}${passed} passed, ${failed} failed\n`);
  process.exit(failed === 0 ? 0 : 1);
}
