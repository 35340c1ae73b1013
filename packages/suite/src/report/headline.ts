import { type ConformanceReport, type DialectReport, resultsOf, type Scope } from "./document.ts";
import { isExpected } from "./gate.ts";
import type { Weight } from "./weight.ts";

/** The answer of a run in the words that every view of it uses. Plain text: each escapes it in its own way. */

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
  traffic: " (as far as it crossed)",
};

/** "not conformant", "conformant (card only)", "agent gone" */
export function outcomeWord(report: ConformanceReport): string {
  const { outcome, ending, scope } = report;
  if (outcome === "not-conformant") return isExpected(report) ? "not conformant (all expected)" : outcomes[outcome];
  if (outcome === "conformant") return `${outcomes[outcome]}${scopeAsides[scope]}`;
  return early[ending] ?? outcomes[outcome];
}

/** "level partial: push not offered"; for a run without a level, why there is none. */
export function levelText({ outcome, conformanceLevel, levelBecause }: ConformanceReport | DialectReport): string {
  if (conformanceLevel !== null) return `level ${conformanceLevel}: ${levelBecause}`;
  return outcome === "inconclusive" ? levelBecause : `no level: ${levelBecause}`;
}

/** How the agent does in one version of several: "not conformant, level minimal: rules of the core are broken" */
export const versionAnswer = (version: DialectReport): string =>
  `${outcomes[version.outcome]}${version.outcome === "inconclusive" ? ":" : ","} ${levelText(version)}`;

/** What fails by a failure, where that is more than its own rule. */
export const weightText: Readonly<Record<Weight, string | undefined>> = {
  card: "makes the card invalid",
  basics: "breaks the basics",
  core: "breaks the core",
  other: undefined,
};

/** Of a client, how many situations it was put into; else "8 of 8 messages", those that made the agent work, and how many were announced */
export function messagesText({ subject, situations, summary }: ConformanceReport): string {
  if (subject === "client") return situations?.length === 1 ? "1 situation" : `${situations?.length ?? 0} situations`;
  const { workingMessages, plannedMessages } = summary;
  const most = Math.max(workingMessages, plannedMessages);
  return most === 0 ? "no messages" : `${workingMessages} of ${most === 1 ? "1 message" : `${most} messages`}`;
}

/** What to do first about a run that came to no answer. */
export function firstStep(report: ConformanceReport): string | undefined {
  if (report.hint !== undefined || report.outcome !== "inconclusive") return report.hint;
  const unsent = resultsOf(report).find(({ test, enable }) => test === "SEND-001" && enable !== undefined);
  return unsent?.enable?.startsWith("--") ? `assay test … ${unsent.enable}` : unsent?.enable;
}
