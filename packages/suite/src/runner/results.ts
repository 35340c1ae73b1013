import type { DialectVersion } from "@assay/protocol";
import { type Exchange, type Masker, type PeerInterface, toHarEntry } from "@assay/wire";
import type { BaselineEntry } from "../baseline-entry.ts";
import type { Check } from "../check.ts";
import { breach, type Evidence, type Finding } from "../finding.ts";
import type { ObstacleKind } from "../obstacle.ts";
import { type Judged, judgementOf } from "../policy.ts";
import { repeatLine } from "../report/repeat.ts";
import type { ConformanceResult } from "../report/result.ts";
import { statusOf } from "../report/verdict.ts";
import { categoryOf, type RuleSet, ruleIn, specUrl } from "../rules/catalogue.ts";
import type { Rule } from "../rules/rule.ts";
import { isDisputed } from "../rules/severity.ts";
import { interfaceName } from "./interface-name.ts";

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
}

/** A hostile agent writes long sentences. */
const longest = 600;

export function resultOf(
  context: ResultContext,
  { check, on, duration }: { check: Check; on?: PeerInterface | undefined; duration?: number },
  finding: Finding,
): ConformanceResult {
  const rule = ruleFor(context, check);
  const { verdict, message, warning, info } = judgementOf(finding, judgedBy(context, rule, on));
  const at = "at" in finding ? finding.at : [];
  const matters = verdict === "fail" || warning !== undefined;
  const text = (value: string | undefined): string | undefined => value && clean(context.masker.text(value));
  const expected = verdict === "fail" ? expectedBy(context, check.id, on) : undefined;
  return compact({
    ...frame(context, check, on),
    status: statusOf(verdict),
    verdict,
    message: text(message),
    warning: text(warning),
    info: text(info),
    duration_ms: duration === undefined ? undefined : Math.round(duration * 10) / 10,
    sent: matters && at[0] ? text(sentIn(exchangeOf(at[0]))) : undefined,
    saw: matters && "saw" in finding ? text(finding.saw) : undefined,
    want: matters && "want" in finding ? text(finding.want) : undefined,
    remedy: matters ? check.remedy : undefined,
    unexamined: finding.is === "not-examined" ? finding.reason : undefined,
    enable: finding.is === "not-examined" ? finding.enable : undefined,
    evidence: [...new Set(at.map((each) => exchangeOf(each).id))].slice(0, 10),
    repeat: matters && at[0] ? repeat(context, at[0]) : undefined,
    ambiguity: matters ? rule.ambiguity : undefined,
    disputed: isDisputed(check.id) || undefined,
    expected,
  });
}

/** For those who needed an observation that could not be made. */
export function obstructedResult(
  context: ResultContext,
  place: { check: Check; on?: PeerInterface | undefined; duration?: number },
  obstacle: ObstacleKind,
): ConformanceResult {
  switch (obstacle.is) {
    case "not-applicable":
      return resultOf(context, place, obstacle);
    case "not-examined":
      return resultOf(context, place, obstacle);
    case "network":
      return troubleResult(context, place, obstacle.because);
    case "held-up": {
      const { rule: blamed, because, at, saw, want } = obstacle;
      // The rule that is to blame fails, once; no other is counted for it.
      if (blamed === place.check.id) {
        const details = { at, ...(saw !== undefined && { saw }), ...(want !== undefined && { want }) };
        return resultOf(context, place, breach("blocks-others", because, details));
      }
      return compact({
        ...frame(context, place.check, place.on),
        status: "skip",
        // What the agent never claimed blocks nothing.
        verdict: context.declared ? "blocked" : "not-applicable",
        message: clean(context.masker.text(because)),
        rootCause: blamed,
        evidence: at.map((each) => exchangeOf(each).id),
      });
    }
  }
}

/** Ours, or the network's: never blamed on the agent. */
export const troubleResult = (
  context: ResultContext,
  { check, on }: { check: Check; on?: PeerInterface | undefined },
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

function ruleFor({ dialect }: ResultContext, { id }: Check): Rule {
  const rule = ruleIn(dialect, id);
  if (!rule) throw new TypeError(`${id} is no rule of ${dialect}.`);
  return rule;
}

function frame(context: ResultContext, check: Check, on: PeerInterface | undefined) {
  const { level, section } = ruleFor(context, check);
  return {
    test: check.id,
    category: categoryOf(check.id),
    dialect: context.dialect,
    level,
    title: check.title,
    section,
    specUrl: specUrl(section, context.dialect),
    ...(on && { interface: interfaceName(on) }),
  };
}

const exchangeOf = (evidence: Evidence): Exchange => ("exchange" in evidence ? evidence.exchange : evidence);

/** The request on a line: its body where it has one, else verb and address. */
function sentIn({ http: { request }, transport }: Exchange): string {
  const { method, url, body } = request;
  if (transport.http2) return `${new URL(url).pathname.split("/").at(-1)} over gRPC`;
  const text = Buffer.from(body.subarray(0, 400)).toString("utf8");
  return body.length ? (method === "POST" ? text : `${method} ${text}`) : `${method} ${url}`;
}

function repeat({ masker }: ResultContext, evidence: Evidence): string | undefined {
  const message = "params" in evidence && evidence.params ? masker.text(JSON.stringify(evidence.params)) : undefined;
  return repeatLine(toHarEntry(masker.exchange(exchangeOf(evidence))), message);
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
