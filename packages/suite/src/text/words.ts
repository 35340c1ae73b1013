import {
  bindingName,
  type ConformanceReport,
  type ConformanceResult,
  failuresOf,
  type InterfaceName,
  isPlainlyNew,
  type KnownFault,
  knownFaultText,
  resultsOf,
  rulesText,
  type Unexamined,
  versionAnswer,
  warningsOf,
  whereOf,
} from "../report/index.ts";

/** Sentences that all reports share. Plain text: each format escapes it. */

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** "3 rules broken", or "no property broken" of a gateway */
export const brokenText = (broken: number, subject: ConformanceReport["subject"]): string =>
  `${broken === 0 ? (subject === "gateway" ? "no property" : "no rule") : rulesText(broken, subject)} broken`;

/** "3 rules broken, 5 warnings" */
export function findingsOf(report: ConformanceReport): string {
  const { expected, blocked, errors } = report.summary;
  const broken = new Set(failuresOf(report).flatMap(({ test, also }) => [test, ...also])).size;
  return [
    brokenText(broken, report.subject),
    ...(expected ? [plural(expected, "expected failure")] : []),
    ...(blocked ? [`${blocked} blocked`] : []),
    ...(errors ? [plural(errors, "internal error")] : []),
    plural(warningsOf(report).length, "warning"),
  ].join(", ");
}

/** "examined 214 of 301 rules that apply (quick)"; a client is tested at one depth. */
export const examinedOf = ({ summary: { examined, applicable }, depth, subject }: ConformanceReport): string =>
  `examined ${examined} of ${rulesText(applicable, subject)}${subject === "gateway" ? "" : ` that ${applicable === 1 ? "applies" : "apply"}`}${subject === "client" ? "" : ` (${depth})`}`;

/**
 * "198 passed, 4 with warnings, 3 failed, 92 skipped": each result counts once, whereas JSON counts warnings as passed.
 */
export function countsOf({ passed, warned, failed, skipped }: ResultCounts): string {
  return [`${passed - warned} passed`, ...warnedText(warned), `${failed} failed`, `${skipped} skipped`].join(", ");
}

/** "4 with warnings", or nothing */
export const warnedText = (warned: number): string[] =>
  warned === 0 ? [] : [warned === 1 ? "1 with a warning" : `${warned} with warnings`];

interface ResultCounts {
  /** including those with a warning */
  readonly passed: number;
  /** passed with a warning */
  readonly warned: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Counts the results of a report. */
export const resultCounts = (report: ConformanceReport): ResultCounts => ({
  ...report.summary,
  warned: resultsOf(report).filter(({ status, warning }) => status === "pass" && warning !== undefined).length,
});

const endings: Record<ConformanceReport["ending"], string | undefined> = {
  done: undefined,
  interrupted: "The run was interrupted. These are the results so far.",
  "cut-off": "The run was cut off. These are the results so far.",
  unreachable: "The agent did not answer, so Assay could not test it.",
  "egress-refused": "Assay may not contact the address, so it could not test the agent.",
  "no-card": "Assay found no card, so it could not test the agent.",
  "login-required": "The agent asks for a login, so Assay could not test it.",
  "payment-required": "The agent asks for payment, so Assay could not test it.",
  "no-interface": "The card lists no interface.",
  "no-usable-interface": "Assay cannot test any interface of the card.",
  "agent-gone": "The agent stopped answering. These are the results so far.",
  "agent-exited": "The agent's process exited during the run, and no request is proven to end it.",
  "time-over": "The run reached its time limit. These are the results so far.",
};

/** Returns the notice for a run that did not complete or is inconclusive. */
export const endingOf = ({ ending, message, outcome, levelBecause }: ConformanceReport): string | undefined =>
  message ?? endings[ending] ?? (outcome === "inconclusive" ? levelBecause : undefined);

export const reasons: Record<Unexamined, string> = {
  prompt: "no known prompt makes the agent show the behaviour",
  credentials: "credentials are missing",
  login: "the agent asks for a login",
  payment: "the agent asks for payment",
  egress: "needs permission to contact another host",
  webhook: "the agent cannot reach the webhook",
  depth: "not tested at this depth",
  budget: "beyond the message limit",
  filter: "excluded by an option, such as --only",
  rude: "could harm the agent, and was not allowed",
  unstable: "the agent answered inconsistently or too late",
  "endless-stream": "a stream stayed open, and its task did not end in time",
  "not-triggered": "nothing in this run triggered it",
  prerequisite: "needs something that the agent lacks, which is not a failure",
  declined: "the client declined the situation",
  interrupted: "the run was interrupted before this",
};

export interface Fact {
  readonly label: "sent" | "saw" | "want" | "known" | "fix" | "reproduce";
  readonly text: string;
  /** a sentence, not something sent, seen or typed */
  readonly isSentence?: true;
}

/** Returns the request, the response, the requirement, the fix, and the command to repeat it. */
export const factsOf = ({ sent, saw, want, knownFault, remedy, repeat }: ConformanceResult): Fact[] => [
  ...(sent !== undefined ? [{ label: "sent", text: sent } as const] : []),
  ...(saw !== undefined ? [{ label: "saw", text: saw } as const] : []),
  ...(want !== undefined ? [{ label: "want", text: want, isSentence: true } as const] : []),
  ...(knownFault !== undefined
    ? [{ label: "known", text: knownFaultSentence(knownFault), isSentence: true } as const]
    : []),
  ...(remedy !== undefined ? [{ label: "fix", text: remedy, isSentence: true } as const] : []),
  ...(repeat !== undefined ? [{ label: "reproduce", text: repeat } as const] : []),
];

const knownFaultSentence = (fault: KnownFault): string => `${knownFaultText(fault)}. Workaround: ${fault.workaround}`;

/** Returns the SDK and how Assay knows it: "looks like a2a-sdk (Python): …". */
export const sdkOf = ({ sdk }: ConformanceReport): string | undefined => sdk?.because;

/** Returns the remark of a result, if any. */
const remarkOf = ({ warning, message, info, enable, rootCause, verdict, expected }: ConformanceResult): string =>
  [
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(verdict === "blocked" && rootCause !== undefined ? [`blocked by ${rootCause}`] : []),
    ...[warning, message, info].filter((text) => text !== undefined),
    ...(verdict === "not-examined" && enable !== undefined ? [`enable with ${enable}`] : []),
  ].join("; ");

/** The same finding on several interfaces, as one table row. */
export interface ResultRow {
  readonly example: ConformanceResult;
  readonly results: readonly ConformanceResult[];
  readonly where: string;
  readonly remark: string;
}

export function rowsOf(results: readonly ConformanceResult[]): ResultRow[] {
  const rows = new Map<string, { remark: string; same: ConformanceResult[] }>();
  for (const result of results) {
    const remark = remarkOf(result);
    const key = `${result.test} ${result.verdict} ${remark}`;
    const row = rows.get(key);
    if (row) row.same.push(result);
    else rows.set(key, { remark, same: [result] });
  }
  return [...rows.values()].map(({ remark, same }) => ({
    example: same[0]!,
    results: same,
    where: [...new Set(same.map(whereOf))].join(", "),
    remark,
  }));
}

/** Returns one line for each failure that a baseline or --ignore-known-sdk accepts. */
export const expectedOf = (report: ConformanceReport): string[] =>
  resultsOf(report)
    .filter(({ expected }) => expected !== undefined)
    .map(
      (result) =>
        `${result.test} (${whereOf(result)}) fails, as expected (${result.expected}): ${result.message ?? result.title}`,
    );

/** A tested protocol version with its evidence and its result. */
export interface VersionFact {
  readonly version: string;
  /** "not conformant, level minimal: core rules are broken" */
  readonly answer: string;
  readonly known: string;
}

export function versionsOf({ dialects }: ConformanceReport): VersionFact[] {
  if (isPlainlyNew(dialects)) return [];
  return dialects.map((each) => ({
    version: each.dialect,
    answer: versionAnswer(each),
    known: each.declared ? each.because : `${each.because}; the card does not declare it, so it never causes a failure`,
  }));
}

export const interfaceText = ({ binding, dialect, url }: InterfaceName): string =>
  `${bindingName(binding)} ${dialect} at ${url}`;

/** "48 s", "2 min 5 s" */
export function durationText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** "2026-11-15 08:14 UTC" */
export const dateText = (iso: string): string =>
  iso.endsWith("Z") ? `${iso.slice(0, 16).replace("T", " ")} UTC` : iso;

/** Returns the address of a section if it is safe to follow. */
export const safeLink = (url: string): string | undefined =>
  /^https:\/\/[\w.-]+(:\d+)?(\/[\w./~%#?=&+-]*)?$/.test(url) ? url : undefined;
