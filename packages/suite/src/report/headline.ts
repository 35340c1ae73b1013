import { type ConformanceReport, type DialectReport, type RunHeadline, resultsOf, type Scope } from "./document.ts";
import type { RunSubject, SpokenDialect } from "./events.ts";
import { failuresOf } from "./fix-first.ts";
import { isExpected } from "./gate.ts";
import type { Weight } from "./weight.ts";

/** The outcome of a run in the words that every view uses. Plain text: each view escapes it. */

const outcomes: Record<ConformanceReport["outcome"], string> = {
  conformant: "conformant",
  "not-conformant": "not conformant",
  inconclusive: "inconclusive",
};

const early: Partial<Record<ConformanceReport["ending"], string>> = {
  interrupted: "interrupted",
  "cut-off": "cut off",
  "agent-gone": "agent gone",
};

const scopeAsides: Record<Scope, string> = {
  everything: "",
  card: " (card only)",
  free: " (no message sent)",
  filtered: " (some rules only)",
  traffic: " (recorded traffic only)",
  gateway: "",
};

/** "not conformant", "conformant (card only)", "agent gone" */
export function outcomeWord(report: ConformanceReport): string {
  const { outcome, ending, scope, subject } = report;
  if (subject === "gateway" && outcome !== "inconclusive")
    return outcome === "conformant" ? "nothing broken" : "the gateway breaks A2A traffic";
  if (outcome === "not-conformant") return isExpected(report) ? "not conformant (all expected)" : outcomes[outcome];
  if (outcome === "conformant") return `${outcomes[outcome]}${scopeAsides[scope]}`;
  return early[ending] ?? outcomes[outcome];
}

/** Returns the line of a run in a list of runs. */
export function runHeadline(report: ConformanceReport): RunHeadline {
  const { run, agentUrl, agentName, agentVersion, testDate, subject, outcome, scope } = report;
  const { conformanceLevel, ending, depth, duration_ms, summary } = report;
  return {
    ...{ run, agentUrl, agentName, agentVersion, testDate, subject, outcome, scope },
    ...{ conformanceLevel, ending, depth, duration_ms, summary },
    answer: outcomeWord(report),
    broken: new Set(failuresOf(report).flatMap(({ test, also }) => [test, ...also])).size,
  };
}

/** Returns "level partial: push not offered", or why there is no level. */
export function levelText(report: ConformanceReport | DialectReport): string {
  const { outcome, conformanceLevel, levelBecause } = report;
  if (conformanceLevel !== null) return `level ${conformanceLevel}: ${levelBecause}`;
  const isGateway = "subject" in report && report.subject === "gateway";
  return outcome === "inconclusive" || isGateway ? levelBecause : `no level: ${levelBecause}`;
}

/** Returns "3 rules", or "3 properties" of a gateway. */
export function rulesText(count: number, subject: RunSubject | undefined): string {
  if (subject === "gateway") return count === 1 ? "1 property" : `${count} properties`;
  return count === 1 ? "1 rule" : `${count} rules`;
}

/** Returns the result in one of several versions: "not conformant, level minimal: core rules are broken" */
export const versionAnswer = (version: DialectReport): string =>
  `${outcomes[version.outcome]}${version.outcome === "inconclusive" ? ":" : ","} ${levelText(version)}`;

/** The effect of a failure beyond its own rule. */
export const weightText: Readonly<Record<Weight, string | undefined>> = {
  card: "makes the card invalid",
  basics: "breaks a basic rule: the level is non-conformant",
  core: "breaks a core rule: the level is at most minimal",
  other: undefined,
};

/** Returns "8 of 8 messages" (sent and announced), or the number of situations of a client. */
export function messagesText({ subject, situations, summary }: ConformanceReport): string {
  if (subject === "client") return situations?.length === 1 ? "1 situation" : `${situations?.length ?? 0} situations`;
  const { workingMessages, plannedMessages } = summary;
  if (subject === "gateway" && plannedMessages === 0) return "answered by an agent of Assay";
  const most = Math.max(workingMessages, plannedMessages);
  return most === 0 ? "no messages" : `${workingMessages} of ${most === 1 ? "1 message" : `${most} messages`}`;
}

/** Returns the first step for a run that is inconclusive. */
export function firstStep(report: ConformanceReport): string | undefined {
  if (report.hint !== undefined || report.outcome !== "inconclusive") return report.hint;
  if (report.subject === "client") return report.ending === "done" ? clientStep(report.situations ?? []) : undefined;
  const unsent = resultsOf(report).find(({ test, enable }) => test === "SEND-001" && enable !== undefined);
  return unsent?.enable?.startsWith("--") ? `assay test … ${unsent.enable}` : unsent?.enable;
}

/** Returns the first step for a client that Assay could not judge. Without situations, the agents run elsewhere. */
function clientStep(situations: NonNullable<ConformanceReport["situations"]>): string | undefined {
  const endings = new Set(situations.map(({ ended }) => ended));
  if (!endings.size) return undefined;
  if (endings.size === 1 && endings.has("not-started"))
    return "Pass the command that starts your client: assay client -- node my-client.js";
  if (endings.size === 1 && endings.has("declined"))
    return "Let the command support the action send. docs/clients.md has a small client.";
  return "Let the command send ASSAY_MESSAGE to an interface on the card of ASSAY_AGENT_URL. docs/clients.md has a small client.";
}

/** Returns true for an agent that declares only 1.0, for which a separate table of versions adds nothing. */
export const isPlainlyNew = (dialects: readonly SpokenDialect[]): boolean =>
  dialects.every(({ dialect, declared }) => dialect === "1.0" && declared === true);
