import {
  type CategoryMember,
  type ConformanceReport,
  type ConformanceResult,
  categories,
  type FindingGroup,
  failuresOf,
  firstStep,
  levelText,
  messagesText,
  outcomeWord,
  unexaminedOf,
  warningsOf,
  whereOf,
} from "@assay/suite/report";
import { code, cut, prose } from "./escape.ts";
import type { Run } from "./run.ts";
import {
  countsOf,
  dateText,
  durationText,
  endingOf,
  examinedOf,
  expectedOf,
  factsOf,
  findingsOf,
  interfaceText,
  plural,
  type ResultRow,
  reasons,
  rowsOf,
  safeLink,
  versionsOf,
} from "./words.ts";

/**
 * A page for a pull request or the summary of a GitHub job, which may have 1 MiB: what does not fit is counted instead
 * of shown. The answer comes first, the tables of everything last, so that a cut takes what is missed least.
 */
export function markdown({ report }: Run): string {
  return [
    ...answer(report),
    ...fixFirst(report),
    ...heldUp(report),
    ...warnings(report),
    ...expected(report),
    ...notExamined(report),
    ...remarks(report),
    ...tables(report),
    `<sub>${prose(`assay ${report.tool.version}, rules ${report.ruleSet}, run`)} ${short(report.run)}</sub>`,
    "",
  ].join("\n");
}

/** Bytes each part may have; together below 900 kB. */
const room = {
  failures: 350_000,
  heldUp: 50_000,
  warnings: 100_000,
  expected: 40_000,
  notExamined: 30_000,
  remarks: 30_000,
  tables: 280_000,
};

const short = (text: string): string => code(cut(text, 300));
const sentence = (text: string): string => prose(cut(text, 600));

function answer(report: ConformanceReport): string[] {
  const { agentName, agentVersion, agentUrl, summary, levelBecause } = report;
  const ending = endingOf(report);
  const hint = firstStep(report);
  const name = agentName === "" ? short(agentUrl) : sentence(`${agentName} ${agentVersion}`.trim());
  const facts = [
    `Agent ${short(agentUrl)}`,
    ...report.interfaces.slice(0, 20).map((on) => sentence(interfaceText(on))),
    sentence(dateText(report.testDate)),
    durationText(report.duration_ms),
    messagesText(report),
  ];
  return [
    `## ${outcomeWord(report)}: ${name}`,
    "",
    ...(ending === undefined ? [] : [`> ${sentence(ending)}${hint ? ` ${sentence(hint)}` : ""}`, ""]),
    ...(summary.total === 0 ? [] : [`**${findingsOf(report)}** — ${examinedOf(report)}. ${countsOf(report)}.`, ""]),
    ...(levelBecause === ending ? [] : [`${sentence(levelText(report))}.`, ""]),
    facts.join(" · "),
    "",
    ...versions(report),
  ];
}

/** The versions that were tested, where it needs saying. */
function versions(report: ConformanceReport): string[] {
  const rows = versionsOf(report).map(
    ({ version, answer: told, known }) => `| ${sentence(version)} | ${sentence(told)} | ${sentence(known)} |`,
  );
  return rows.length ? ["| version | answer | known by |", "| --- | --- | --- |", ...rows, ""] : [];
}

function fixFirst(report: ConformanceReport): string[] {
  const groups = failuresOf(report);
  if (groups.length === 0) return [];
  const blocks = groups.map((group, index) => failure(group, index + 1));
  return ["### Fix first", "", ...fitting(blocks, room.failures, "failure"), ""];
}

function failure(group: FindingGroup, number: number): string {
  const { example, blocks } = group;
  const marks = [
    group.where,
    ...(group.also.length ? [`also ${group.also.join(", ")}`] : []),
    ...(blocks ? [`blocks ${plural(blocks, "result")}`] : []),
    ...(example.disputed ? ["contested"] : []),
  ];
  // The number is ours, and the bold begins the line: a message cannot open a list or a heading of its own.
  const head = `${number}. **${ruleLink(example)}** ${sentence(group.message || example.title)} — ${sentence(marks.join(", "))}`;
  const indent = " ".repeat(`${number}. `.length);
  const facts = factsOf(example).map(
    ({ label, text, isSentence }) => `${indent}- ${label}: ${isSentence ? sentence(text) : code(cut(text, 1500))}`,
  );
  return [head, ...facts].join("\n");
}

/** "[LIST-003 §3.1.4](…)" */
function ruleLink({ test, section, specUrl }: ConformanceResult): string {
  const name = sentence(section ? `${test} §${section}` : test);
  const link = safeLink(specUrl);
  return link ? `[${name}](${link})` : name;
}

function heldUp({ rootCauses }: ConformanceReport): string[] {
  if (rootCauses.length === 0) return [];
  const lines = rootCauses.map(
    (cause) =>
      `- ${sentence(cause.test)} (${sentence(whereOf(cause))}) blocks ${plural(cause.blocks, "result")}: ${sentence(cause.message)}`,
  );
  return ["### Held up", "", ...fitting(lines, room.heldUp, "root cause"), ""];
}

function warnings(report: ConformanceReport): string[] {
  const groups = warningsOf(report);
  if (groups.length === 0) return [];
  const lines = groups.map(
    ({ example, message, where }) => `- **${ruleLink(example)}** ${sentence(message)} — ${sentence(where)}`,
  );
  return ["### Warnings", "", ...fitting(lines, room.warnings, "warning"), ""];
}

function notExamined(report: ConformanceReport): string[] {
  const groups = unexaminedOf(report);
  if (groups.length === 0) return [];
  const rows = groups.map(
    ({ reason, rules, enable }) =>
      `| ${rules} | ${sentence(reasons[reason])} | ${enable === undefined ? "" : short(enable)} |`,
  );
  return [
    "### Not examined",
    "",
    "| rules | why | examine them with |",
    "| ---: | --- | --- |",
    ...fitting(rows, room.notExamined, "reason"),
    "",
  ];
}

function remarks({ leftOut, notes }: ConformanceReport): string[] {
  const lines = [
    ...leftOut.map(({ interface: on, because }) => `- not tested: ${sentence(`${interfaceText(on)}: ${because}`)}`),
    ...notes.map((note) => `- note: ${sentence(note)}`),
  ];
  return lines.length ? ["### Notes", "", ...fitting(lines, room.remarks, "note"), ""] : [];
}

function expected(report: ConformanceReport): string[] {
  const lines = expectedOf(report).map((line) => `- ${sentence(line)}`);
  return lines.length ? ["### Baseline", "", ...fitting(lines, room.expected, "expected failure"), ""] : [];
}

function tables(report: ConformanceReport): string[] {
  let left = room.tables;
  return Object.entries(report.categories).flatMap(([member, results]) => {
    if (results.length === 0) return [];
    const failed = results.filter(({ verdict }) => verdict === "fail").length;
    const rows = fitting(rowsOf(results).map(row), left, "line");
    left -= rows.reduce((sum, each) => sum + byteLength(each) + 1, 0);
    return [
      "<details>",
      `<summary>${categories[member as CategoryMember]}: ${plural(results.length, "result")}, ${failed} failed</summary>`,
      "",
      "| rule | where | verdict | |",
      "| --- | --- | --- | --- |",
      ...rows,
      "",
      "</details>",
      "",
    ];
  });
}

function row({ example: { test, title, verdict, warning }, where, remark }: ResultRow): string {
  const said = prose(cut(remark === "" ? title : `${title}: ${remark}`, 300));
  return `| ${sentence(test)} | ${sentence(where)} | ${verdict}${warning === undefined ? "" : ", warning"} | ${said} |`;
}

/** As many as there is room for; the last line counts the rest. */
function fitting(blocks: readonly string[], most: number, what: string): string[] {
  const taken: string[] = [];
  let bytes = 0;
  for (const block of blocks) {
    bytes += byteLength(block) + 1;
    if (bytes > most)
      return [
        ...taken,
        "",
        `… and ${plural(blocks.length - taken.length, `more ${what}`)}: see the JSON or HTML report.`,
      ];
    taken.push(block);
  }
  return taken;
}

/** Of the text in UTF-8. */
function byteLength(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    // Halves of a pair take two bytes each, four together.
    if (unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff)) bytes += 2;
    else if (unit > 0x7f) bytes += 1;
  }
  return bytes;
}
