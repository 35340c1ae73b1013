import { type DialectVersion, defined, v03Proto } from "@assay/protocol";
import { type Exchange, isGrpcCall, type Masker, type PeerInterface, toHarEntry } from "@assay/wire";
import { answerPlace } from "../answers/answer-place.ts";
import { disguisedError } from "../answers/disguised-error.ts";
import { answerNumber } from "../answers/reading.ts";
import type { BaselineEntry } from "../define/baseline-entry.ts";
import type { Call } from "../define/call.ts";
import type { Declaration } from "../define/check.ts";
import { type Breach, breach, type Evidence, type Finding, notExamined } from "../define/finding.ts";
import type { HeldUp, ObstacleKind } from "../define/obstacle.ts";
import { repeatLine } from "../report/repeat.ts";
import type { AnswerPlace, ConformanceResult } from "../report/result.ts";
import { statusOf } from "../report/verdict.ts";
import { type RuleSet, ruleOfSet, specUrl, textWith } from "../rules/catalogue.ts";
import type { Shown } from "../rules/causes.ts";
import { type Judged, judgementOf } from "../rules/policy.ts";
import type { Rule } from "../rules/rule.ts";
import { isDisputed } from "../rules/severity.ts";
import { inWordsOf, type Wording } from "../words/vocabulary.ts";
import { wordsOf } from "../words/words-of.ts";
import { interfaceName } from "./interface-name.ts";
import type { Crash, CrashKind } from "./target/crash-trials.ts";

/** The rules by which an agent is judged in one protocol version. */
export interface JudgingContext {
  /** the version of the rules */
  readonly dialect: DialectVersion;
  /** the agent declares that version */
  readonly declared: boolean;
  readonly strict: boolean;
  readonly ruleSet: RuleSet;
}

/** Turns findings into lines of the report. All texts of an agent are masked and shortened. */
export interface ResultContext extends JudgingContext {
  readonly masker: Masker;
  readonly baseline: readonly BaselineEntry[];
  readonly today: string;
  /** returns the crash that the evidence shows, in a run that looks for crashes */
  readonly crashIn?: (evidence: readonly Evidence[]) => Crash | undefined;
}

/** The subject of a result. */
export interface ResultSubject {
  readonly check: Declaration;
  readonly on?: PeerInterface | undefined;
  readonly duration?: number;
}

/** Limits texts, because a hostile agent may write long sentences. */
const longest = 600;

export function resultOf(
  context: ResultContext,
  { check, on, duration }: ResultSubject,
  finding: Finding,
): ConformanceResult {
  const rule = ruleFor(context, check);
  const { verdict, message, warning, info } = judgementOf(finding, judgedBy(context, rule, on));
  const at = "at" in finding ? finding.at : [];
  const matters = verdict === "fail" || warning !== undefined;
  const text = (value: string | undefined): string | undefined => value && clean(context.masker.text(value));
  const wording = wordingOf(context, on);
  const wrote = (word: string): boolean => at.some((each) => answerOf(exchangeOf(each)).includes(word));
  const told = (value: string | undefined): string | undefined => value && text(inWordsOf(wording, value, wrote));
  const expected = verdict === "fail" ? expectedBy(context, check.id, on) : undefined;
  return compact({
    ...frame(context, check, on),
    status: statusOf(verdict),
    verdict,
    message: told(message),
    warning: told(warning),
    info: told(info),
    duration_ms: duration === undefined ? undefined : Math.round(duration * 10) / 10,
    sent: matters && at[0] ? text(sentIn(exchangeOf(at[0]))) : undefined,
    saw: matters && "saw" in finding ? told(finding.saw) : undefined,
    want: matters && "want" in finding ? told(finding.want) : undefined,
    remedy: matters ? remedyFor(check, finding, wording) : undefined,
    code: finding.is === "breach" && (matters || info !== undefined) ? finding.code : undefined,
    ...(matters && finding.is === "breach" && shownBy(context, finding)),
    unexamined: finding.is === "not-examined" ? finding.reason : undefined,
    enable: finding.is === "not-examined" ? finding.enable : undefined,
    trouble: finding.is === "not-examined" ? finding.trouble : undefined,
    evidence: [...new Set(at.map((each) => exchangeOf(each).id))].slice(0, 10),
    repeat: matters ? repeatFor(context, finding) : undefined,
    ambiguity: matters ? rule.ambiguity : undefined,
    disputed: isDisputed(check.id) || undefined,
    expected,
  });
}

const exitWords = {
  does: "crashes",
  wants: "a response; no request may end the agent's process",
  remedy:
    "Catch the error that this request raises, and return an error response. One request must not end the process.",
};
/** The texts claim no more than Assay saw. */
const crashWords: Readonly<Record<CrashKind, typeof exitWords>> = {
  exit: exitWords,
  "exit-after-response": {
    ...exitWords,
    does: "exits after it answered",
    wants: "the process keeps running; no request may end it",
    remedy: "Catch the error that this request raises after it is answered. One request must not end the process.",
  },
  "closed-connection": {
    does: "closes the connection without a response",
    wants: "a response",
    remedy: "Return an error response to this request. Do not close the connection without one.",
  },
};

/** A breach whose evidence is a crash becomes that crash. */
export function asCrash({ crashIn }: Pick<ResultContext, "crashIn">, finding: Finding): Finding {
  const crash = finding.is === "breach" ? crashIn?.(finding.at) : undefined;
  if (!crash || finding.is !== "breach") return finding;
  const { message, want, at } = finding;
  const { does, wants, remedy } = crashWords[crash.how];
  return breach("crashed", `the agent ${does}: ${message}`, {
    saw: crash.saw,
    want: want ?? wants,
    remedy,
    at: [crash.call, ...at.filter((each) => exchangeOf(each).id !== crash.call.exchange.id)],
  });
}

/** A breach that shows an error with the status of a success gets that cause as its code. */
export function asDisguised(finding: Finding): Finding {
  if (finding.is !== "breach") return finding;
  const call = callShowing(finding);
  return call && disguisedError(call) ? { ...finding, code: "error-as-success" } : finding;
}

/** Returns the masked shell command that repeats a call. */
export const reproduceLine = (masker: Masker, call: Call): string | undefined => repeat({ masker }, call);

/** Returns the call that shows a breach, its response, and the position in it. */
function shownBy(
  context: ResultContext,
  finding: Breach,
): Record<"operation" | "answer", string | undefined> & { readonly place: AnswerPlace | undefined } {
  const call = callShowing(finding);
  return { operation: call?.operation, answer: call && answerNumber(call), place: placeShown(context, finding) };
}

/** Returns the position of a breach in the response. */
export function placeShown({ masker }: Pick<ResultContext, "masker">, finding: Breach): AnswerPlace | undefined {
  const call = callShowing(finding);
  const place = call
    ? answerPlace(call, finding)
    : typeof finding.spot === "string"
      ? { path: finding.spot }
      : undefined;
  return place && (masker.value(place) as AnswerPlace);
}

/** Returns the evidence in a breach about its cause. */
export const shownIn = (finding: Breach): Shown => ({
  code: finding.code,
  operation: callShowing(finding)?.operation,
});

function callShowing({ at: [first] }: Breach): Call | undefined {
  return first && "exchange" in first ? first : undefined;
}

const wordingOf = ({ dialect }: JudgingContext, on: PeerInterface | undefined): Wording => ({
  dialect,
  binding: on?.binding,
});

/** Returns the remedy of the finding, or else of the check. */
const remedyFor = (check: Declaration, finding: Finding, wording: Wording): string =>
  "remedy" in finding && finding.remedy !== undefined
    ? inWordsOf(wording, finding.remedy)
    : wordsOf(check.id, wording).remedy;

/** The result of a rule whose observation was impossible without a fault of the agent. */
export function obstructedResult(
  context: ResultContext,
  subject: ResultSubject,
  obstacle: Exclude<ObstacleKind, HeldUp>,
): ConformanceResult {
  return obstacle.is === "network"
    ? troubleResult(context, subject, obstacle.because)
    : resultOf(context, subject, obstacle);
}

/** Turns an obstacle into a finding about the rule it names, judged like any other. */
export const blameOf = ({ code = "broken", because, at, saw, want, remedy }: HeldUp): Finding =>
  breach(code, because, {
    at,
    ...defined({ saw, want, remedy }),
  });

/** The result of a rule whose observation was prevented by a failure. The failure counts once, elsewhere. */
export const blockedResult = (
  context: ResultContext,
  { check, on }: ResultSubject,
  { rule, because, at }: HeldUp,
): ConformanceResult =>
  compact({
    ...frame(context, check, on),
    status: "skip",
    verdict: "blocked",
    message: clean(context.masker.text(inWordsOf(wordingOf(context, on), because))),
    rootCause: rule,
    evidence: at.map((each) => exchangeOf(each).id),
  });

/**
 * The result of a rule whose prerequisite is missing without a failure: a warning, a disputed rule, an undeclared
 * version.
 */
export const withoutPrerequisite = ({ rule, because }: HeldUp): Finding =>
  notExamined(
    "prerequisite",
    `needs what ${rule} requires, and its absence is not a failure of this agent: ${because}`,
  );

/** The rule that owns the cause was not examined in this run. */
export const ownerNotExamined = (owner: string, says: string): Finding =>
  notExamined("prerequisite", `${says}; ${owner} covers that, and this run did not examine it`, `--only ${owner}`);

/** An internal error or a network problem, never blamed on the agent. */
export const troubleResult = (
  context: ResultContext,
  { check, on }: ResultSubject,
  because: string,
): ConformanceResult =>
  compact({
    ...frame(context, check, on),
    status: "skip",
    verdict: "error",
    message: clean(context.masker.text(because)),
    evidence: [],
  });

/** The circumstances in which a finding is judged. */
export const judgedBy = (context: JudgingContext, rule: Rule, on?: PeerInterface): Judged => ({
  rule,
  dialect: context.dialect,
  set: context.ruleSet,
  binding: on?.binding,
  strict: context.strict,
  declared: context.declared,
});

/** Returns the rule of a check in the judged version. */
export function ruleFor({ dialect, ruleSet }: JudgingContext, { id }: Pick<Declaration, "id">): Rule {
  const rule = ruleOfSet(dialect, id, ruleSet);
  if (!rule) throw new TypeError(`${id} is not a rule of ${dialect}.`);
  return rule;
}

function frame(context: ResultContext, check: Declaration, on: PeerInterface | undefined) {
  const rule = ruleFor(context, check);
  const { level, section, category, tags } = rule;
  return {
    test: check.id,
    category,
    ...(tags && { tags }),
    dialect: context.dialect,
    level,
    title: wordsOf(check.id, wordingOf(context, on)).title,
    section,
    specUrl: specUrl(section, textWith(rule, context.dialect)),
    ...(on && { interface: interfaceName(on) }),
  };
}

/** Returns the body of a response as text. */
const answerOf = ({ http: { response } }: Exchange): string => Buffer.from(response?.body ?? []).toString("utf8");

const exchangeOf = (evidence: Evidence): Exchange => ("exchange" in evidence ? evidence.exchange : evidence);

/** Returns the request in one line: its body, or its verb and address. */
function sentIn(exchange: Exchange): string {
  const { method, url, body } = exchange.http.request;
  if (isGrpcCall(exchange)) return `${new URL(url).pathname.split("/").at(-1)} over gRPC`;
  const text = `${Buffer.from(body.subarray(0, 400)).toString("utf8")}${body.length > 400 ? "…" : ""}`;
  return body.length ? (method === "POST" ? text : `${method} ${text}`) : `${method} ${url}`;
}

/** Returns the command that shows a finding again: its own, or the request of its first evidence. */
function repeatFor(context: ResultContext, finding: Finding): string | undefined {
  if (finding.is === "breach" && finding.repeat !== undefined) return context.masker.text(finding.repeat);
  const first = "at" in finding ? finding.at[0] : undefined;
  return first && repeat(context, first);
}

function repeat({ masker }: Pick<ResultContext, "masker">, evidence: Evidence): string | undefined {
  const message = "exchange" in evidence ? grpcMessage(evidence) : undefined;
  return repeatLine(toHarEntry(masker.exchange(exchangeOf(evidence))), message && masker.text(message));
}

/** Returns the request in the JSON of its .proto, because gRPC bytes are not readable. */
function grpcMessage({ on, operation, params }: Call): string | undefined {
  if (!params) return undefined;
  if (on.dialect === "1.0" || operation === undefined) return JSON.stringify(params);
  try {
    // A deliberately wrong request may have no form in that version, so there is no command to show.
    return JSON.stringify(v03Proto.writeRequest(operation, params as never));
  } catch {
    return undefined;
  }
}

function expectedBy({ baseline, today }: ResultContext, id: string, on: PeerInterface | undefined): string | undefined {
  const where = on?.binding ?? "card";
  const entry = baseline.find(
    (known) =>
      known.check === id &&
      (known.interface === undefined || known.interface === where) &&
      (known.expires === undefined || known.expires >= today),
  );
  return entry?.reason;
}

const clean = (text: string): string => {
  const line = text.replace(/\s*[\r\n]+\s*/g, " ");
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
};

/** Removes undefined members. */
const compact = (result: { [K in keyof ConformanceResult]: ConformanceResult[K] | undefined }): ConformanceResult =>
  // The callers above provide all required members.
  Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined)) as unknown as ConformanceResult;
