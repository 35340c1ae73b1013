import { isObject, type JsonObject } from "@assay/protocol";
import { type ConformanceReport, interfaceKey, resultsOf } from "@assay/suite/report";
import type { ClassFinding } from "./card-trouble.ts";
import { withCertificate } from "./client-certificate.ts";
import { contactRule, type InterfaceFinding, interfaceFinding, mostTelling } from "./interface-finding.ts";
import { type ReasonCode, reasons } from "./reasons.ts";
import type { ListedFacts, RunFacts } from "./run-facts.ts";

/** Endings that already decide the class. For the others, the responses of the interfaces decide. */
const endingReasons: Partial<Record<ConformanceReport["ending"], ReasonCode>> = {
  // The card was found, so the agent disappeared during the run.
  unreachable: "gone",
  "no-card": "gone",
  "agent-gone": "gone",
  "egress-refused": "guard-agent",
  "login-required": "endpoint-login",
  "payment-required": "endpoint-payment",
  "no-interface": "no-interface",
  interrupted: "interrupted",
  "cut-off": "own-error",
};

/** Classifies an agent whose card was found. Only codes decide, never message texts. */
export function classOfRun(facts: RunFacts, listed: ListedFacts): ClassFinding {
  const { report } = facts;
  const trouble = withCertificate(endingTrouble(facts, report) ?? interfaceTrouble(facts, report, listed), listed.card);
  const isLogin = reasons[trouble.code].class === "login-required";
  return isLogin && listed.hasLogin ? { ...trouble, code: "login-not-accepted" } : trouble;
}

function endingTrouble(facts: RunFacts, { ending, interfaces }: ConformanceReport): ClassFinding | undefined {
  const code = endingReasons[ending];
  const answer = interfaces.flatMap((on) => facts.answersAt(on))[0];
  return code && { code, ...(answer && { answer }) };
}

function interfaceTrouble(facts: RunFacts, report: ConformanceReport, { card }: ListedFacts): ClassFinding {
  const isBroken = report.outcome === "not-conformant";
  const declared = declaredInterfaces(report);
  if (declared.length === 0) return { code: withoutInterface(report, isBroken) };
  if (report.depth === "card") return { code: ofCardAlone(report, isBroken) };
  const findings = declared.map((on) => findingAt(on, facts, report));
  if (!findings.some(({ spoken }) => spoken)) return unspoken(facts, report, findings);
  if (isBroken) return broken(facts, report);
  if (report.ending === "time-over") return { code: "deadline" };
  const { lifecycle } = facts;
  const works = lifecycle.some((answer) => answer === "message" || answer === "completed");
  const asked = works ? undefined : (refusedMessage(report) ?? paidFor(card));
  const came = works ? undefined : unanswered.find(({ answer }) => lifecycle.includes(answer))?.code;
  if (asked ?? came) return { code: (asked ?? came)! };
  if (report.summary.examined === 0) return { code: "nothing-examined" };
  if (!findings.every(({ spoken }) => spoken)) return { code: "partly-seen" };
  return { code: works ? "conformant" : "unasked" };
}

/** The reason for a message without a result: the first one seen on any interface. */
const unanswered = [
  { answer: "failed", code: "message-failed" },
  { answer: "refused", code: "message-refused" },
  { answer: "unfinished", code: "message-timeout" },
  { answer: "silence", code: "message-timeout" },
] as const;

/** Finds the response that shows the first finding of the report. */
function broken(facts: RunFacts, report: ConformanceReport): ClassFinding {
  const [first] = report.fixFirst[0]?.findings ?? [];
  const result = resultsOf(report).find(({ fingerprint }) => first !== undefined && fingerprint === first);
  const answer = result && facts.shownBy(result);
  return { code: "rules-broken", ...(answer && { answer }) };
}

/** The versions that the agent declares. A version that it answers without declaring is not a promise. */
function declaredInterfaces({ interfaces, dialects }: ConformanceReport): ConformanceReport["interfaces"] {
  const claimed = dialects.filter(({ declared }) => declared).map(({ dialect }) => dialect);
  return claimed.length ? interfaces.filter(({ dialect }) => claimed.includes(dialect)) : interfaces;
}

function withoutInterface({ leftOut }: ConformanceReport, isBroken: boolean): ReasonCode {
  if (leftOut.some(({ withheld }) => withheld)) return "credential-withheld";
  return isBroken ? "interface-address" : "interface-unknown";
}

const ofCardAlone = ({ summary }: ConformanceReport, isBroken: boolean): ReasonCode =>
  isBroken ? "card-breaks-rules" : summary.examined > 0 ? "card-only" : "nothing-examined";

function findingAt(on: ConformanceReport["interfaces"][number], facts: RunFacts, report: ConformanceReport) {
  const result = resultsOf(report).find(
    ({ test, interface: at }) => test === contactRule && interfaceKey(at) === interfaceKey(on),
  );
  return interfaceFinding(result, facts.answersAt(on), result && facts.shownBy(result));
}

/**
 * Classifies an agent that speaks none of its declared interfaces. It may speak another version at the same address.
 */
function unspoken(facts: RunFacts, report: ConformanceReport, findings: readonly InterfaceFinding[]): ClassFinding {
  const declared = declaredInterfaces(report);
  const other = report.interfaces.find(
    (on) => !declared.includes(on) && declared.some(({ url }) => url === on.url) && findingAt(on, facts, report).spoken,
  );
  const telling = mostTelling(findings) ?? { code: "nothing-examined" };
  if (other && reasons[telling.code].class === "something-else") return { ...telling, code: "endpoint-other-version" };
  return report.ending === "time-over" && telling.code === "nothing-examined" ? { code: "deadline" } : telling;
}

/** Returns the reason if a plain message needs a login or a payment. */
function refusedMessage(report: ConformanceReport): ReasonCode | undefined {
  const sent = resultsOf(report).filter(({ test }) => test === "SEND-001");
  if (sent.some(({ unexamined }) => unexamined === "login")) return "message-login";
  return sent.some(({ unexamined }) => unexamined === "payment") ? "endpoint-payment" : undefined;
}

/** The payment extension has many URIs, all of which contain its name. */
const payment = /\bx402\b/i;

function paidFor(card: JsonObject): ReasonCode | undefined {
  const capabilities = card["capabilities"];
  const extensions = isObject(capabilities) ? capabilities["extensions"] : undefined;
  const isPaid = (each: unknown): boolean =>
    isObject(each) && each["required"] === true && typeof each["uri"] === "string" && payment.test(each["uri"]);
  return Array.isArray(extensions) && extensions.some(isPaid) ? "payment-extension" : undefined;
}

/** Returns the first finding of a report for an agent that breaks rules, with the number of failures. */
export function firstBreach({ fixFirst, summary }: ConformanceReport): string | undefined {
  const [first] = fixFirst;
  const more = summary.failed > 1 ? ` (${summary.failed} failures in all)` : "";
  return first && `${first.tests[0]}: ${first.message}${more}`;
}
