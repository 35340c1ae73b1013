import {
  type ConformanceReport,
  type ConformanceResult,
  exitCodeOf,
  firstStep,
  type InterfaceName,
  isPlainlyNew,
  type KnownFault,
  knownFaultText,
  levelText,
  messagesText,
  outcomeWord,
  type RunEvent,
  RunState,
  resultsOf,
  rulesText,
  type SituationFinished,
  type SpokenDialect,
  slowedDownText,
  troublesOf,
  unexaminedOf,
  versionAnswer,
} from "@assay/suite/report";
import { duration, plural, sections } from "../phrases.ts";
import { escapeText } from "./escape.ts";
import { contactLines, priceOf } from "./header.ts";
import type { RunView } from "./live.ts";
import { foundText, notExaminedText } from "./report-text.ts";
import type { Screen } from "./screen.ts";

/** Prints one line per finding, as it arrives, for logs and grep. */
export function createPlainView({ line }: Pick<Screen, "line">): RunView {
  const run = new RunState();
  const troubles = new Set<string>();
  return {
    take(event) {
      run.take(event);
      if (!isRepeatedTrouble(event, troubles)) for (const text of plainLines(event, run)) line(text);
    },
    say: (text) => line(text),
    end() {},
  };
}

/** Returns true for a repeated problem, because an unreachable address blocks a hundred checks. */
function isRepeatedTrouble(event: RunEvent, told: Set<string>): boolean {
  if (event.event !== "check-finished" || event.result.verdict !== "error") return false;
  const trouble = `${placeOf(event.result.interface)} ${event.result.message}`;
  return told.has(trouble) || !told.add(trouble);
}

function plainLines(event: RunEvent, { started }: RunState): string[] {
  switch (event.event) {
    case "agent-found": {
      if (!started) return [];
      const { tool, ruleSet, agentUrl } = started;
      const agent = `${escapeText(event.name)} ${escapeText(event.version)}`.trim();
      return [
        `assay ${tool.version}  ${started.subject === "gateway" ? "" : "rules "}${ruleSet}  ${escapeText(agentUrl)}  ${agent}`,
        ...(isPlainlyNew(event.dialects) ? [] : event.dialects.map(versionLine)),
        ...event.leftOut.map(
          ({ interface: on, because }) =>
            `SKIP ${placeOf(on)} ${escapeText(on.url)} not tested: ${escapeText(because)}`,
        ),
      ];
    }
    case "planned":
      return started && started.subject !== "client" && (started.subject !== "gateway" || event.workingMessages > 0)
        ? [`depth ${started.depth}: ${priceOf(event)}`, ...contactLines(event)]
        : [];
    case "check-finished":
      return resultLines(event.result);
    case "note":
      return [`NOTE ${escapeText(event.text)}`];
    case "situation-finished":
      return situationLines(event);
    case "run-started":
      return event.subject === "client"
        ? [`assay ${event.tool.version}  rules ${event.ruleSet}  client ${escapeText(event.agentUrl)}`]
        : [];
    case "situation-started":
    case "estimated":
    case "observing":
    case "observed":
    case "lifecycle-seen":
    case "skill-tried":
    case "peer-tried":
    case "versions-compared":
    case "sdk-recognised":
    case "check-started":
    case "exchange":
    case "run-finished":
      return [];
  }
  // An event of a newer version.
  return [];
}

/** Reports a situation that did not end normally. */
const situationLines = ({ situation, interface: on, ended, because }: SituationFinished): string[] =>
  because === undefined && ended === "done"
    ? []
    : [
        `${ended === "declined" ? "SKIP" : "NOTE"} ${situation}${on ? ` ${placeOf(on)}` : ""} ${escapeText(because ?? ended)}`,
      ];

function resultLines(result: ConformanceResult): string[] {
  const { test, verdict, message, title, warning, saw, want, section, expected, disputed, compared } = result;
  const said = escapeText(message ?? title);
  const place = `${result.party ? `${result.party} ` : ""}${placeOf(result.interface, result.dialect)}`;
  // The message about a gateway names the place, but not its value.
  const seen = compared && saw !== undefined && !said.includes(saw) ? `, saw ${escapeText(saw)}` : "";
  const wanted = want === undefined || said.includes(want) ? "" : `, want ${escapeText(want)}`;
  const stated = section ? ` (${sections(section)})` : "";
  if (verdict === "fail")
    return expected === undefined
      ? [`FAIL ${test} ${place} ${said}${seen}${wanted}${stated}${disputed ? " disputed: does not count" : ""}`]
      : [`KNOWN ${test} ${place} ${said} (baseline: ${escapeText(expected)})`];
  if (verdict === "error") return [`ERROR ${test} ${place} ${said}`];
  return warning === undefined ? [] : [`WARN ${test} ${place} ${escapeText(warning)}`];
}

/** Returns the binding as it is spelt on the wire, for searches, and the version if it is not 1.0. */
const placeOf = (on: InterfaceName | undefined, dialect = on?.dialect): string =>
  escapeText(`${on?.binding ?? "card"}${dialect === undefined || dialect === "1.0" ? "" : `/${dialect}`}`);

/** Returns a tested version, and how Assay knows that the agent supports it. */
const versionLine = ({ dialect, because, declared }: SpokenDialect): string =>
  `VERSION ${escapeText(dialect)} ${escapeText(because)}${declared ? "" : " (not on the card: it never causes a failure)"}`;

/** Returns the last lines: the level, rules that were not examined, the first step, and the verdict with its counts. */
export function plainEnding(report: ConformanceReport): string[] {
  const { examined, applicable, expected } = report.summary;
  const facts = [
    `${foundText(report)}${expected ? ` (${plural(expected, "known failure")})` : ""}`,
    `examined ${examined} of ${rulesText(applicable, report.subject)}`,
    messagesText(report),
    duration(report.duration_ms),
  ];
  const first = firstStep(report);
  const level = report.conformanceLevel === null ? "" : ` (${report.conformanceLevel})`;
  const isToldElsewhere = report.message === undefined || report.levelBecause === report.message;
  return [
    ...sdkLines(report),
    ...(isToldElsewhere ? [] : [`why: ${escapeText(report.message ?? "")}`]),
    `${report.outcome === "inconclusive" ? "why: " : ""}${escapeText(levelText(report))}`,
    ...versionAnswers(report),
    ...unexaminedOf(report)
      .filter(({ trouble }) => trouble === undefined)
      .map((group) => `not examined: ${rulesText(group.rules, report.subject)} ${notExaminedText(group)}`),
    ...(first === undefined ? [] : [`first: ${escapeText(first)}`]),
    ...troublesOf(report),
    ...(report.slowedDown ? [slowedDownText(report.slowedDown)] : []),
    `${outcomeWord(report)}${level}: ${facts.join("; ")}${exitHint(report)}`,
  ];
}

/** Returns the SDK and the failures that it causes. They are known only at the end of a run. */
function sdkLines(report: ConformanceReport): string[] {
  if (!report.sdk) return [];
  const faults = new Map<string, KnownFault>();
  for (const { test, knownFault } of resultsOf(report)) if (knownFault) faults.set(test, knownFault);
  return [
    `SDK ${escapeText(report.sdk.because)}`,
    ...[...faults].map(
      ([test, fault]) =>
        `KNOWN ${test} ${escapeText(knownFaultText(fault))}. Workaround: ${escapeText(fault.workaround)}`,
    ),
  ];
}

/** Adds the exit code of an inconclusive run, which readers may mistake for a success. */
const exitHint = (report: ConformanceReport): string =>
  report.outcome === "inconclusive" ? `; exit ${exitCodeOf(report)}` : "";

/** Returns the verdict for each of several versions: "0.3 conformant, level partial: push not offered". */
export function versionAnswers({ dialects, ending, scope }: ConformanceReport): string[] {
  if (dialects.length < 2 || ending !== "done" || scope === "traffic") return [];
  return dialects.map((version) => {
    const aside = version.declared ? "" : " (not on the card: it does not count)";
    return escapeText(`${version.dialect} ${versionAnswer(version)}${aside}`);
  });
}
