import { type DialectVersion, v03Proto } from "@assay/protocol";
import { type Exchange, isGrpcCall, type Masker, type PeerInterface, toHarEntry } from "@assay/wire";
import { answerPlace } from "../answers/answer-place.ts";
import { answerNumber } from "../answers/reading.ts";
import type { BaselineEntry } from "../define/baseline-entry.ts";
import type { Call } from "../define/call.ts";
import type { Declaration } from "../define/check.ts";
import { type Breach, breach, type Evidence, type Finding, notExamined } from "../define/finding.ts";
import type { HeldUp, ObstacleKind } from "../define/obstacle.ts";
import { repeatLine } from "../report/repeat.ts";
import type { AnswerPlace, ConformanceResult } from "../report/result.ts";
import { statusOf } from "../report/verdict.ts";
import { type RuleSet, ruleOfSet, specUrl } from "../rules/catalogue.ts";
import type { Shown } from "../rules/causes.ts";
import { type Judged, judgementOf } from "../rules/policy.ts";
import type { Rule } from "../rules/rule.ts";
import { isDisputed } from "../rules/severity.ts";
import { inWordsOf, type Wording } from "../words/vocabulary.ts";
import { wordsOf } from "../words/words-of.ts";
import { interfaceName } from "./interface-name.ts";
import type { Crash, CrashKind } from "./target/crash-trials.ts";

/** By what an agent is judged in one version of the protocol. */
export interface JudgingContext {
  /** the version whose rules are held against the agent */
  readonly dialect: DialectVersion;
  /** it claims to speak that version */
  readonly declared: boolean;
  readonly strict: boolean;
  readonly ruleSet: RuleSet;
}

/** What turns findings into lines of the report: everything an agent said passes the mask, and is cut to size. */
export interface ResultContext extends JudgingContext {
  readonly masker: Masker;
  readonly baseline: readonly BaselineEntry[];
  readonly today: string;
  /** the crash that evidence shows, in a run that looks for crashes */
  readonly crashIn?: (evidence: readonly Evidence[]) => Crash | undefined;
}

/** What a result is about. */
export interface ResultSubject {
  readonly check: Declaration;
  readonly on?: PeerInterface | undefined;
  readonly duration?: number;
}

/** A hostile agent writes long sentences. */
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
  wants: "a response; a request never ends the agent",
  remedy:
    "Catch the error that this request raises, and return an error response. One request must not end the process.",
};
/** No more is said than was seen. */
const crashWords: Readonly<Record<CrashKind, typeof exitWords>> = {
  exit: exitWords,
  "exit-after-response": {
    ...exitWords,
    does: "exits after it answered",
    wants: "the process keeps running; a request never ends the agent",
    remedy: "Catch the error that this request raises after it is answered. One request must not end the process.",
  },
  "closed-connection": {
    does: "closes the connection without a response",
    wants: "a response",
    remedy: "Return an error response to this request. Do not close the connection without one.",
  },
};

/** A breach that a crash shows is that crash, whatever the check takes a missing answer for. */
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

/** The line for the shell that sends the request of a call again, masked. */
export const reproduceLine = (masker: Masker, call: Call): string | undefined => repeat({ masker }, call);

/** What call shows a breach, how it was answered, and where in that to look. */
function shownBy(
  context: ResultContext,
  finding: Breach,
): Record<"operation" | "answer", string | undefined> & { readonly place: AnswerPlace | undefined } {
  const call = callShowing(finding);
  return { operation: call?.operation, answer: call && answerNumber(call), place: placeShown(context, finding) };
}

/** Where to look for a breach in the answer that shows it. */
export function placeShown({ masker }: Pick<ResultContext, "masker">, finding: Breach): AnswerPlace | undefined {
  const call = callShowing(finding);
  const place = call
    ? answerPlace(call, finding)
    : typeof finding.spot === "string"
      ? { path: finding.spot }
      : undefined;
  return place && (masker.value(place) as AnswerPlace);
}

/** What a breach shows of its cause. */
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

/** What to change: as the finding has it, else as the check has it for all. */
const remedyFor = (check: Declaration, finding: Finding, wording: Wording): string =>
  "remedy" in finding && finding.remedy !== undefined
    ? inWordsOf(wording, finding.remedy)
    : wordsOf(check.id, wording).remedy;

/** For those who needed an observation that could not be made, through no fault of the agent. */
export function obstructedResult(
  context: ResultContext,
  subject: ResultSubject,
  obstacle: Exclude<ObstacleKind, HeldUp>,
): ConformanceResult {
  return obstacle.is === "network"
    ? troubleResult(context, subject, obstacle.because)
    : resultOf(context, subject, obstacle);
}

/** What an obstacle says about the rule it names: judged like everything else that a check could have seen. */
export const blameOf = ({ code = "broken", because, at, saw, want, remedy }: HeldUp): Finding =>
  breach(code, because, {
    at,
    ...(saw !== undefined && { saw }),
    ...(want !== undefined && { want }),
    ...(remedy !== undefined && { remedy }),
  });

/** For those who needed an observation that a failure of the agent prevented: that failure is counted once, not here. */
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

/** The same where what prevented it is no failure: a warning, a contested rule, a version that the agent never claimed. */
export const withoutPrerequisite = ({ rule, because }: HeldUp): Finding =>
  notExamined("prerequisite", `needs what ${rule} asks for, and that is no failure of this agent: ${because}`);

/** The rule that owns the cause was not examined in this run. */
export const ownerNotExamined = (owner: string, says: string): Finding =>
  notExamined(
    "prerequisite",
    `${says}; that is a matter of ${owner}, which this run did not examine`,
    `--only ${owner}`,
  );

/** Ours, or the network's: never blamed on the agent. */
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

/** The circumstances under which a finding about a rule is judged. */
export const judgedBy = (context: JudgingContext, rule: Rule, on?: PeerInterface): Judged => ({
  rule,
  dialect: context.dialect,
  set: context.ruleSet,
  binding: on?.binding,
  strict: context.strict,
  declared: context.declared,
});

/** The rule of a check, as the text has it by which the agent is judged. */
export function ruleFor({ dialect, ruleSet }: JudgingContext, { id }: Pick<Declaration, "id">): Rule {
  const rule = ruleOfSet(dialect, id, ruleSet);
  if (!rule) throw new TypeError(`${id} is no rule of ${dialect}.`);
  return rule;
}

function frame(context: ResultContext, check: Declaration, on: PeerInterface | undefined) {
  const { level, section, category, tags } = ruleFor(context, check);
  return {
    test: check.id,
    category,
    ...(tags && { tags }),
    dialect: context.dialect,
    level,
    title: wordsOf(check.id, wordingOf(context, on)).title,
    section,
    specUrl: specUrl(section, context.dialect),
    ...(on && { interface: interfaceName(on) }),
  };
}

/** The body of an answer as text. */
const answerOf = ({ http: { response } }: Exchange): string => Buffer.from(response?.body ?? []).toString("utf8");

const exchangeOf = (evidence: Evidence): Exchange => ("exchange" in evidence ? evidence.exchange : evidence);

/** The request on a line: its body where it has one, else verb and address. */
function sentIn(exchange: Exchange): string {
  const { method, url, body } = exchange.http.request;
  if (isGrpcCall(exchange)) return `${new URL(url).pathname.split("/").at(-1)} over gRPC`;
  const text = `${Buffer.from(body.subarray(0, 400)).toString("utf8")}${body.length > 400 ? "…" : ""}`;
  return body.length ? (method === "POST" ? text : `${method} ${text}`) : `${method} ${url}`;
}

/** The line that shows a finding again: its own, else the request of its first evidence. */
function repeatFor(context: ResultContext, finding: Finding): string | undefined {
  if (finding.is === "breach" && finding.repeat !== undefined) return context.masker.text(finding.repeat);
  const first = "at" in finding ? finding.at[0] : undefined;
  return first && repeat(context, first);
}

function repeat({ masker }: Pick<ResultContext, "masker">, evidence: Evidence): string | undefined {
  const message = "exchange" in evidence ? grpcMessage(evidence) : undefined;
  return repeatLine(toHarEntry(masker.exchange(exchangeOf(evidence))), message && masker.text(message));
}

/** The request as the .proto of its version has it: what goes along with gRPC is not to be read off the bytes. */
function grpcMessage({ on, operation, params }: Call): string | undefined {
  if (!params) return undefined;
  if (on.dialect === "1.0" || operation === undefined) return JSON.stringify(params);
  try {
    // What was wrong on purpose may have no form in that version; then there is no line to show.
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

/** Without the members that are undefined: absent and unknown are the same in the document. */
const compact = (result: { [K in keyof ConformanceResult]: ConformanceResult[K] | undefined }): ConformanceResult =>
  // What is required was given by the callers above.
  Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined)) as unknown as ConformanceResult;
