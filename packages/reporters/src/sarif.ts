import {
  type ConformanceReport,
  type ConformanceResult,
  firstStep,
  knownFaultText,
  outcomeWord,
  resultsOf,
  whereOf,
} from "@assay/suite/report";
import { cut, endingOf, factsOf, jsonText, safeLink, visible } from "@assay/suite/text";
import type { Run } from "./run.ts";

/** Findings as SARIF 2.1.0, the format of code scanning: one result for each failure and warning on each interface. */
export const sarif = (run: Run): string => mergedSarif([run]);

/** Several runs in one file. Categories, messages and fingerprints contain the names of the agents. */
export const mergedSarif = (runs: readonly Run[]): string => sarifDocument(runs.map(sarifRun));

export const sarifDocument = (runs: readonly object[]): string =>
  `${jsonText({ $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs }, 2)}\n`;

/** An error that is not a finding of a rule. */
export const gateResult = (agent: string, ruleId: string, ruleIndex: number, lines: readonly string[]): object => ({
  ruleId,
  ruleIndex,
  level: "error",
  message: { text: lines.map(plain).join("\n") },
  locations: [location],
  ...fingerprintsOf(ruleId, agent),
});

export function sarifRun({ report, agent }: Run): object {
  const findings = resultsOf(report).filter(({ fingerprint }) => fingerprint !== undefined);
  // The first finding of each rule describes the rule. All findings refer to its index in this list.
  const examples = new Map<string, ConformanceResult>();
  for (const finding of findings) if (!examples.has(finding.test)) examples.set(finding.test, finding);
  const ids = new Map([...examples.keys()].map((test, index) => [test, index]));
  const answer = unanswered(report, agent);
  const rules = [...[...examples.values()].map(ruleOf), ...(answer ? [answerRule] : [])];
  const results = [
    ...findings.map((finding) => findingOf(finding, ids.get(finding.test)!, agent)),
    ...(answer ? [{ ...answer, ruleIndex: ids.size }] : []),
  ];
  return {
    tool: {
      driver: { name: "Assay", semanticVersion: report.tool.version, rules, properties: { ruleSet: report.ruleSet } },
    },
    // Code scanning separates agents by this name, and compares the findings of one agent by it.
    automationDetails: { id: `assay/${slug(agent ?? `${report.agentName} ${placeOf(report.agentUrl)}`.trim())}/` },
    columnKind: "utf16CodeUnits",
    invocations: [invocationOf(report)],
    results,
  };
}

/** From here on, systems choose ports for programs that ask for any. They differ in every run. */
const firstChosenPort = 32_768;

/** Returns the part of an address that separates agents with one name, and that is the same in every run. */
function placeOf(url: string): string {
  const place = URL.parse(url);
  if (!place) return "";
  const { hostname, port, pathname } = place;
  const path = pathname.replace(/\/(\.well-known\/[^/]*)?$/, "");
  return `${hostname}${port !== "" && Number(port) < firstChosenPort ? `:${port}` : ""}${path}`;
}

/** Adds the agent to a fingerprint, so that two agents with the same failure have different ones. */
const fingerprintsOf = (finding: string, agent: string | undefined): object => ({
  partialFingerprints: { "assayFinding/v1": agent === undefined ? finding : `${agent}/${finding}` },
});

type Level = "error" | "warning" | "note";

/** A finding has no line of source. It points to the file with the settings of the test. */
const location = { physicalLocation: { artifactLocation: { uri: "assay.yaml" }, region: { startLine: 1 } } };

/** Escapes text for SARIF, where brackets could form a link. */
const plain = (text: string): string => visible(cut(text, 1000)).replace(/[\\[\]]/g, "\\$&") || "(empty)";

function ruleOf(example: ConformanceResult): object {
  const { test, title, section, level, category, tags = [] } = example;
  const helpUri = section === "" ? undefined : safeLink(example.specUrl);
  return {
    id: test,
    shortDescription: { text: plain(title) },
    help: { text: plain(`${section === "" ? "" : `A2A §${section}. `}For details, run: assay explain ${test}`) },
    ...(helpUri && { helpUri }),
    defaultConfiguration: { level: /^MUST/.test(level) ? "error" : "warning" },
    properties: { tags: [...new Set(["a2a", category, ...tags])] },
  };
}

function findingOf(finding: ConformanceResult, ruleIndex: number, agent: string | undefined): object {
  const { test, message, warning, title, want, remedy, interface: on, expected, fingerprint, knownFault } = finding;
  const sentences = [
    `${agent === undefined ? "" : `${agent}: `}${warning ?? message ?? title} (${whereOf(finding)})`,
    ...(want === undefined ? [] : [`want: ${want}`]),
    ...(knownFault === undefined ? [] : [`${knownFaultText(knownFault)}. Workaround: ${knownFault.workaround}`]),
    ...(remedy === undefined ? [] : [`fix: ${remedy}`]),
  ];
  const evidence = factsOf(finding).filter(({ isSentence }) => !isSentence);
  return {
    ruleId: test,
    ruleIndex,
    level: levelOf(finding),
    message: { text: sentences.map(plain).join("\n") },
    locations: [
      {
        ...location,
        ...(on && { logicalLocations: [{ name: whereOf(finding), fullyQualifiedName: on.url, kind: "resource" }] }),
      },
    ],
    ...fingerprintsOf(fingerprint!, agent),
    ...(expected !== undefined && {
      suppressions: [{ kind: "external", status: "accepted", justification: expected }],
    }),
    ...(evidence.length && {
      properties: Object.fromEntries(evidence.map(({ label, text }) => [label, visible(cut(text, 2000))])),
    }),
  };
}

/** Expected and contested failures are never errors. */
const levelOf = ({ verdict, expected, disputed }: ConformanceResult): Level =>
  expected !== undefined ? "note" : verdict === "fail" && !disputed ? "error" : "warning";

const answerRule = {
  id: "assay-run",
  shortDescription: { text: "The run reaches a verdict" },
  help: { text: "Assay could not examine enough rules to decide whether the agent conforms." },
  defaultConfiguration: { level: "error" },
  properties: { tags: ["a2a"] },
};

/** Without a result, code scanning would treat all earlier findings as fixed when a run has no verdict. */
function unanswered(report: ConformanceReport, agent: string | undefined): object | undefined {
  const ending = endingOf(report);
  if (ending === undefined) return undefined;
  return {
    ruleId: answerRule.id,
    level: "error",
    message: {
      text: [`${outcomeWord(report)}: ${ending}`, firstStep(report) ?? ""].filter(Boolean).map(plain).join("\n"),
    },
    locations: [location],
    ...fingerprintsOf(answerRule.id, agent),
  };
}

function invocationOf(report: ConformanceReport): object {
  const { testDate, duration_ms } = report;
  const ending = endingOf(report);
  return {
    executionSuccessful: ending === undefined,
    startTimeUtc: testDate,
    endTimeUtc: new Date(Date.parse(testDate) + duration_ms).toISOString(),
    ...(ending !== undefined && {
      toolExecutionNotifications: [{ level: "error", message: { text: plain(ending) } }],
    }),
  };
}

/**
 * Names an agent in a category. A name that loses more than case and spaces gets a hash, so no other agent has the
 * same.
 */
export function slug(name: string): string {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  if (words.length <= 60 && words === name.toLowerCase().replaceAll(" ", "-")) return words;
  return [words.slice(0, 50).replace(/-$/, ""), hashOf(name)].filter(Boolean).join("-");
}

/** FNV-1a, with 32 bits: browsers have no cryptographic hash without a promise. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
