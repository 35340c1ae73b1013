import { type ConformanceReport, failuresOf, type UnexaminedGroup, warningsOf } from "@assay/suite/report";
import { brokenText } from "@assay/suite/text";
import { plural } from "../phrases.ts";
import { escapeText } from "./escape.ts";

/** Counts rules, not results: a rule that is broken on three interfaces needs one fix. */
export function foundText(report: ConformanceReport): string {
  const broken = new Set(failuresOf(report).flatMap(({ test, also }) => [test, ...also])).size;
  return [
    brokenText(broken, report.subject),
    report.summary.warnings ? plural(warningsOf(report).length, "warning") : "no warnings",
  ].join(", ");
}

/** Explains why rules were not examined and what to do about it. The text continues "3 rules". */
export function notExaminedText({ reason, enable, rules, because }: UnexaminedGroup): string {
  const need = rules === 1 ? "needs" : "need";
  const was = rules === 1 ? "was" : "were";
  const by = enable === undefined ? "" : `: ${escapeText(enable)}`;
  switch (reason) {
    case "prompt":
      return `${need} a prompt${by}`;
    case "credentials":
      return `${need} credentials${by}`;
    case "login":
      return `${need} a login${by}`;
    case "payment":
      return `${need} a payment${by}`;
    case "egress":
      return `${need} permission to contact another host${by}`;
    case "webhook":
      return `${need} a webhook that the agent can reach${by}`;
    case "depth":
      return `${need} ${enable === undefined ? "more depth" : escapeText(enable)}`;
    case "rude":
      return `${need} ${enable === undefined ? "--rude" : escapeText(enable)}: Assay sends harmful requests only with permission`;
    case "budget":
      return `did not fit the budget${by}`;
    case "filter":
      return enable === undefined ? `${was} skipped by --only or --skip` : `${need} ${escapeText(enable)}`;
    case "unstable":
      return `could not be judged: the agent answered differently each time, or too late${by}`;
    case "endless-stream":
      return `could not be judged: ${because === undefined ? "a stream did not end" : escapeText(because)}${by}`;
    case "not-triggered":
      return `${was} not triggered in this run${enable === undefined ? "" : `; ${escapeText(enable)} may trigger ${rules === 1 ? "it" : "them"}`}`;
    case "prerequisite":
      return `${need} something that is not available, which is not a failure${by}`;
    case "declined":
      return `${was} declined by the client (exit code 75 or --can)${by}`;
    case "interrupted":
      return `${was} not reached before the run was interrupted${by}`;
  }
}
