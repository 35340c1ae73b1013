import { jsonIn } from "@assay/protocol";
import { AssayError } from "@assay/protocol/assay-error";
import { type ConformanceReport, type HeadMismatch, headMismatch } from "@assay/suite/report";
import { type HallmarkSource, isBearingLevel, isEnoughExamined, longest } from "./claims.ts";
import { isText } from "./reading.ts";

/** Reasons why a report does not qualify for a hallmark. */
export const refusals = [
  "no-report",
  "no-agent",
  "not-conformant",
  "inconclusive",
  "not-everything",
  "too-little-examined",
  "no-card",
  "contradictory",
  "too-old",
  "from-the-future",
] as const;
export type RefusalCode = (typeof refusals)[number];

/** Thrown if a run does not qualify for a hallmark. */
export class HallmarkRefused extends AssayError {
  declare readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super({ code, message, exitCode: code === "not-conformant" ? 1 : 2 });
  }
}

/** A report that qualifies for a hallmark. It has everything that the claims need. */
export type BearingReport = ConformanceReport & {
  readonly conformanceLevel: NonNullable<ConformanceReport["conformanceLevel"]>;
  readonly cardDigest: string;
};

/** Reads the report in a file. Throws if it does not qualify for a hallmark. */
export function readBearingReport(bytes: Uint8Array, source: HallmarkSource): BearingReport {
  const report = jsonIn(bytes) as unknown as ConformanceReport | undefined;
  if (!isReport(report)) throw new HallmarkRefused("no-report", "the file is not a JSON report of `assay test`");
  const refusal = refusalOf(report, source);
  if (refusal) throw new HallmarkRefused(...refusal);
  // `refusalOf` has checked both members.
  return report as BearingReport;
}

/**
 * Returns why a report does not qualify for a hallmark. Only a complete run without a broken rule has a level. A
 * partial run (the card, some rules, no message) never qualifies.
 */
export function refusalOf(report: ConformanceReport, source: HallmarkSource): [RefusalCode, string] | undefined {
  const { subject, outcome, ending, scope, conformanceLevel, levelBecause, summary, cardDigest, agentUrl } = report;
  if (subject !== "agent") return ["no-agent", "it is not the report of a test of one agent"];
  if (outcome === "not-conformant") return ["not-conformant", "the agent is not conformant: rules are broken"];
  if (outcome !== "conformant" || ending !== "done")
    return ["inconclusive", `the run is inconclusive: ${levelBecause}`];
  if (scope !== "everything" || !isBearingLevel(conformanceLevel))
    return ["not-everything", `the run gives no level: ${levelBecause}`];
  if (summary.examined < 1 || !isEnoughExamined(summary.examined, summary.applicable))
    return ["too-little-examined", `only ${summary.examined} of ${summary.applicable} rules that apply were examined`];
  if (!isText(cardDigest, 64) || !/^[\da-f]{64}$/.test(cardDigest))
    return ["no-card", "the report does not say which card was tested: test the agent again"];
  if (!isText(agentUrl, longest.address) || !isPublicAddress(agentUrl))
    return ["no-agent", "the report contains no public address of an agent"];
  const contradiction = contradictionIn(report, source);
  return contradiction === undefined ? undefined : ["contradictory", contradiction];
}

/** Checks that the head of a report follows from its results, so that no edited head is signed. */
export function contradictionIn(report: ConformanceReport, source: HallmarkSource): string | undefined {
  const mismatch = mismatchIn(report);
  if (mismatch === "unreadable") return "the results of the report cannot be read";
  if (mismatch) {
    const { member, says, follows } = mismatch;
    return `the head of the report was edited: ${member} is ${cut(says)}, and its results give ${cut(follows)}`;
  }
  // The tester knows the agent's address; the card may be on another host.
  if (source !== "report") return undefined;
  const { agentUrl, cardUrl, interfaces } = report;
  const seen = [...(cardUrl === undefined ? [] : [cardUrl]), ...interfaces.map(({ url }) => url)];
  return seen.some((url) => originOf(url) === originOf(agentUrl))
    ? undefined
    : "the head of the report was edited: neither the card nor an interface is at the address of the agent";
}

/** Compares the head of a report with its results. A file may only look like a report, so reading it may throw. */
function mismatchIn(report: ConformanceReport): HeadMismatch | "unreadable" | undefined {
  try {
    return headMismatch(report);
  } catch {
    return "unreadable";
  }
}

const cut = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

const originOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined);

/** Returns true for a web address without credentials. */
function isPublicAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return /^https?:$/.test(url?.protocol ?? "") && url?.username === "" && url.password === "";
}

/** Returns true if a file has enough members to be read as a report. `refusalOf` checks their values. */
const isReport = (value: ConformanceReport | undefined): value is ConformanceReport =>
  typeof value?.summary?.examined === "number" &&
  typeof value.categories === "object" &&
  value.categories !== null &&
  Object.values(value.categories).every((each) => Array.isArray(each)) &&
  Array.isArray(value.dialects) &&
  Array.isArray(value.interfaces) &&
  typeof value.testDate === "string" &&
  typeof value.levelBecause === "string" &&
  isText(value.ruleSet, longest.ruleSet);
