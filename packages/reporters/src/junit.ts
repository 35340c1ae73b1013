import {
  type ConformanceReport,
  type ConformanceResult,
  firstStep,
  interfaceKey,
  outcomeWord,
  resultsOf,
  whereOf,
} from "@assay/suite/report";
import { cut, endingOf, factsOf, markup, sdkOf, versionsOf } from "@assay/suite/text";
import type { Run } from "./run.ts";

/**
 * Renders JUnit XML for Jenkins, GitLab and GitHub Actions: one suite per interface, with one class per category.
 * Expected and contested failures decide nothing, so they are skipped test cases that give the reason.
 */
export const junit = (run: Run): string => mergedJunit([run]);

/** Renders several runs in one file. Suites and classes contain the names of the agents. */
export function mergedJunit(runs: readonly Run[]): string {
  const parts = runs.map((run) => ({ run, suites: [...endingSuite(run), ...suitesOf(run)] }));
  const took = runs.reduce((sum, { report }) => sum + report.duration_ms, 0);
  const totals = { name: "assay", ...countsOf(parts.flatMap(({ suites }) => suites)), time: seconds(took) };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes(totals)}>`,
    ...parts.flatMap(({ run: { report }, suites }) => suites.flatMap((suite) => suiteLines(suite, report))),
    "</testsuites>",
    "",
  ].join("\n");
}

function suiteLines({ name, url, cases }: Suite, report: ConformanceReport): string[] {
  const timestamp = report.testDate.slice(0, 19);
  return [
    `  <testsuite${attributes({ name, ...countsOf([{ name, cases }]), time: totalTime(cases), timestamp })}>`,
    ...properties(report, url),
    ...cases.flatMap((each) => each.lines),
    "  </testsuite>",
  ];
}

/** Readers make a tree of the dots: the agent, its interfaces, their categories. So "0.3" must not contain a dot. */
const classOf = (...parts: readonly (string | undefined)[]): string =>
  ["assay", ...parts.filter((part) => part !== undefined).map((part) => part.replaceAll(".", "_"))].join(".");

const nameWith = (agent: string | undefined, name: string): string =>
  agent === undefined ? name : `${agent}: ${name}`;

type Outcome = "passed" | "failure" | "error" | "skipped";

interface Case {
  readonly outcome: Outcome;
  readonly ms: number;
  readonly lines: readonly string[];
}

interface Suite {
  readonly name: string;
  /** the address of the interface */
  readonly url?: string;
  readonly cases: readonly Case[];
}

function suitesOf({ report, agent }: Run): Suite[] {
  const suites = new Map<string, ConformanceResult[]>();
  for (const result of resultsOf(report)) {
    const key = `${result.dialect} ${interfaceKey(result.interface)}`;
    const same = suites.get(key);
    if (same) same.push(result);
    else suites.set(key, [result]);
  }
  const names = new Map<string, number>();
  return [...suites.values()].map((results) => {
    const plain = whereOf(results[0]!);
    // An agent may list one binding at two addresses, and readers merge suites of the same name.
    const nth = (names.get(plain) ?? 0) + 1;
    names.set(plain, nth);
    const name = nth === 1 ? plain : `${plain} ${nth}`;
    const url = results[0]!.interface?.url;
    return {
      name: nameWith(agent, name),
      ...(url !== undefined && { url }),
      cases: results.map((result) => caseOf(result, classOf(agent, name, result.category))),
    };
  });
}

function caseOf(result: ConformanceResult, classname: string): Case {
  const { outcome, lines } = outcomeOf(result);
  const ms = result.duration_ms ?? 0;
  const head = attributes({
    name: `${result.test} ${result.title}`,
    classname,
    time: seconds(ms),
  });
  const body = [...lines, ...remarks(result)];
  return {
    outcome,
    ms,
    lines: body.length ? [`    <testcase${head}>`, ...body, "    </testcase>"] : [`    <testcase${head}/>`],
  };
}

function outcomeOf(result: ConformanceResult): { outcome: Outcome; lines: string[] } {
  const { verdict, message, enable, rootCause } = result;
  switch (verdict) {
    case "pass":
      return { outcome: "passed", lines: [] };
    case "fail":
      return failureOf(result);
    case "blocked": {
      const held = `blocked by ${rootCause ?? "another failure"}`;
      return { outcome: "error", lines: problem("error", verdict, message ? `${held}: ${message}` : held, result) };
    }
    case "error":
      return { outcome: "error", lines: problem("error", verdict, message ?? "it could not be judged", result) };
    case "not-applicable":
    case "not-examined": {
      const why = [verdict.replace("-", " "), message, enable && `enable with ${enable}`].filter(Boolean).join("; ");
      return { outcome: "skipped", lines: [`      <skipped${attributes({ message: why })}/>`] };
    }
  }
}

function failureOf(result: ConformanceResult): { outcome: Outcome; lines: string[] } {
  const { message = "the rule is broken", level, expected, disputed } = result;
  if (expected === undefined && !disputed)
    return { outcome: "failure", lines: problem("failure", level, message, result) };
  const why = expected === undefined ? "fails, which is contested" : `fails, as expected (${expected})`;
  return { outcome: "skipped", lines: [`      <skipped${attributes({ message: cut(`${why}: ${message}`, 500) })}/>`] };
}

function problem(element: "failure" | "error", type: string, message: string, result: ConformanceResult): string[] {
  const { section, specUrl } = result;
  const facts = [
    ...factsOf(result).map(({ label, text }) => [label, text]),
    ...(section === "" ? [] : [["rule", `§${section} ${specUrl}`]]),
  ];
  // Puts each fact on its own line. The label keeps the agent's words away from the start of the line.
  const text = facts.map(([label, said]) => `${label!.padEnd(9)} ${cut(said!, 2000)}`);
  const lines = text.map((line) => markup(line)).join("\n");
  return [`      <${element}${attributes({ message: cut(message, 500), type })}>${lines}</${element}>`];
}

const remarks = ({ warning, info }: ConformanceResult): string[] => {
  const said = [
    ...(warning !== undefined ? [`warning: ${warning}`] : []),
    ...(info !== undefined ? [`info: ${info}`] : []),
  ];
  return said.length ? [`      <system-out>${said.map(markup).join("\n")}</system-out>`] : [];
};

/** Without this suite, a run without a verdict would look like a success. */
function endingSuite({ report, agent }: Run): Suite[] {
  const message = endingOf(report);
  if (message === undefined) return [];
  const head = attributes({ name: "the run reaches a verdict", classname: classOf(agent, "run"), time: seconds(0) });
  const lines = [
    `    <testcase${head}>`,
    `      <error${attributes({ message, type: report.ending === "done" ? report.outcome : report.ending })}>${markup(firstStep(report) ?? "")}</error>`,
    "    </testcase>",
  ];
  return [{ name: nameWith(agent, "run"), cases: [{ outcome: "error", ms: 0, lines }] }];
}

function properties(report: ConformanceReport, url: string | undefined): string[] {
  const values = {
    "assay.agent": `${report.agentName} ${report.agentVersion}`.trim(),
    "assay.url": report.agentUrl,
    "assay.outcome": outcomeWord(report),
    "assay.level": report.conformanceLevel ?? "none",
    "assay.because": report.levelBecause,
    "assay.rules": report.ruleSet,
    ...Object.fromEntries(
      versionsOf(report).map(({ version, answer, known }) => [
        `assay.version.${version}`,
        `${answer} (known by: ${known})`,
      ]),
    ),
    ...(sdkOf(report) !== undefined && { "assay.sdk": sdkOf(report)! }),
    "assay.depth": report.depth,
    "assay.examined": `${report.summary.examined} of ${report.summary.applicable}`,
    "assay.version": report.tool.version,
    "assay.run": report.run,
    ...(url !== undefined && { "assay.interface": url }),
  };
  const lines = Object.entries(values).map(([name, value]) => `      <property${attributes({ name, value })}/>`);
  return ["    <properties>", ...lines, "    </properties>"];
}

function countsOf(suites: readonly Suite[]): Record<string, string> {
  const counts = { tests: 0, failures: 0, errors: 0, skipped: 0 };
  for (const { outcome } of suites.flatMap(({ cases }) => cases)) {
    counts.tests += 1;
    if (outcome === "failure") counts.failures += 1;
    if (outcome === "error") counts.errors += 1;
    if (outcome === "skipped") counts.skipped += 1;
  }
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, String(count)]));
}

const totalTime = (cases: readonly Case[]): string => seconds(cases.reduce((sum, { ms }) => sum + ms, 0));

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

const attributes = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${markup(value)}"`)
    .join("");
