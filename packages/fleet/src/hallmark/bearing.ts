import { type ConformanceReport, resultsOf, ruleKey } from "@assay/suite/report";
import { countedFailures } from "../report/broken-rules.ts";
import { isBearingLevel, isEnoughExamined, longest } from "./claims.ts";
import { isText, jsonOf } from "./reading.ts";

/** Why a report earns its agent no hallmark. */
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

/** Thrown where there is no hallmark to be had. */
export class HallmarkRefused extends Error {
  override readonly name = "HallmarkRefused";
  readonly code: RefusalCode;

  constructor(code: RefusalCode, because: string) {
    super(because);
    this.code = code;
  }
}

/** A report by which an agent bears a hallmark: what the claims are made of is there. */
export type BearingReport = ConformanceReport & {
  readonly conformanceLevel: NonNullable<ConformanceReport["conformanceLevel"]>;
  readonly cardDigest: string;
};

/** The report in a file, whose agent bears a hallmark by it; else throws. */
export function readBearingReport(bytes: Uint8Array): BearingReport {
  const report = jsonOf(Buffer.from(bytes).toString()) as ConformanceReport | undefined;
  if (!isReport(report)) throw new HallmarkRefused("no-report", "the file is no JSON report of `assay test`");
  const refusal = refusalOf(report);
  if (refusal) throw new HallmarkRefused(...refusal);
  // `refusalOf` looked at both.
  return report as BearingReport;
}

/**
 * An agent bears a hallmark by a run that could have found anything, came to its end, and found no rule broken: only such a run
 * has a level. What was only looked at in part (the card, some rules, no message) bears none, however well it did.
 */
export function refusalOf(report: ConformanceReport): [RefusalCode, string] | undefined {
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
    return ["no-agent", "the report names no address of an agent that can be told to others"];
  const contradiction = contradictionIn(report);
  return contradiction === undefined ? undefined : ["contradictory", contradiction];
}

/** What a report says at its head has to follow from its results: a head that was touched up is no ground for a signature. */
function contradictionIn(report: ConformanceReport): string | undefined {
  const { dialects, summary } = report;
  const results = resultsOf(report);
  const rules = (verdicts: readonly string[]): number =>
    new Set(results.filter(({ verdict }) => verdicts.includes(verdict)).map(ruleKey)).size;
  const [broken] = countedFailures(report);
  if (broken) return `the report calls the agent conformant, and ${broken.test} fails in it`;
  if (dialects.some(({ declared, outcome }) => declared && outcome !== "conformant"))
    return "the report calls the agent conformant, and one of its versions is not";
  if (rules(["pass", "fail"]) !== summary.examined || results.length !== summary.total)
    return "the report counts other results than it has";
  if (summary.examined > summary.applicable) return "the report counts more rules than apply";
  return undefined;
}

/** Of the web, and without a login in it. */
function isPublicAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return /^https?:$/.test(url?.protocol ?? "") && url?.username === "" && url.password === "";
}

/** Enough to read it as one; what it claims is looked at above. */
const isReport = (value: ConformanceReport | undefined): value is ConformanceReport =>
  typeof value?.summary?.examined === "number" &&
  typeof value.categories === "object" &&
  value.categories !== null &&
  Object.values(value.categories).every((each) => Array.isArray(each)) &&
  Array.isArray(value.dialects) &&
  typeof value.testDate === "string" &&
  typeof value.levelBecause === "string" &&
  isText(value.ruleSet, longest.ruleSet);
