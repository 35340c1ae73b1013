import {
  type CategoryMember,
  type ConformanceReport,
  type ConformanceResult,
  categories,
  type FailureGroup,
  failuresOf,
  firstStep,
  forecastAnswer,
  knownFaultText,
  levelText,
  messagesText,
  outcomeWord,
  resultsOf,
  slowedDownText,
  unexaminedOf,
  warningsOf,
  weightText,
  whereOf,
} from "@assay/suite/report";
import {
  code,
  countsOf,
  cut,
  dateText,
  durationText,
  endingOf,
  endTexts,
  examinedOf,
  expectedOf,
  factsOf,
  findingsOf,
  interfaceText,
  placeText,
  plural,
  prose,
  type ResultRow,
  reasons,
  resultCounts,
  rowsOf,
  safeLink,
  sdkOf,
  versionsOf,
  visible,
  warnedText,
} from "@assay/suite/text";
import { adviceLines, clientRows, tableHead, withForecast } from "./forecast.ts";
import type { Run } from "./run.ts";

/** A comment on a pull request may have 65,536 characters; this leaves room for words around it. */
const mostCharacters = 60_000;

/**
 * Renders a page for a pull request or the summary of a job. The answer comes first. The tables come last: they use the
 * remaining room, and what does not fit is counted.
 */
export function markdown(run: Run): string {
  const report = withForecast(run);
  const lines = [
    ...answer(report, run.agent),
    ...fixFirst(report),
    ...heldUp(report),
    ...warnings(report),
    ...expected(report),
    ...changes(report),
    ...notExamined(report),
    ...remarks(report),
  ];
  const closing = [
    ...forecast(report),
    `<sub>${prose(`assay ${report.tool.version}, ${report.subject === "gateway" ? "" : `rules ${report.ruleSet}, `}run`)} ${short(report.run)}</sub>`,
    "",
  ];
  return [...lines, ...tables(report, mostCharacters - sizeOf([...lines, ...closing])), ...closing].join("\n");
}

/** Limits the characters of each part before the tables. */
const room = {
  interfaces: 3_000,
  versions: 3_000,
  failures: 20_000,
  heldUp: 3_000,
  warnings: 5_000,
  expected: 3_000,
  changes: 5_000,
  notExamined: 3_000,
  remarks: 3_000,
  forecast: 8_000,
};

/** Room for the rest of a list: the line that counts the remaining items, headings, and the frame of a table. */
const frame = 250;

/** A failure with longer facts appears without them, because escaping makes words up to six times longer. */
const longestFailure = 8_000;

const short = (text: string): string => code(cut(text, 300));
const sentence = (text: string): string => prose(cut(text, 600));
const headline = (text: string): string => prose(cut(text, 300));

const subjects = { agent: "Agent", client: "Client", pair: "Agent", gateway: "Gateway" };

/** Puts the name in assay.yaml before the name on the card, which several agents may share. */
export function agentTitle({ agentName, agentVersion }: ConformanceReport, agent: string | undefined): string {
  const onCard = `${agentName} ${agentVersion}`.trim();
  return agent === undefined || agent.startsWith(agentName) ? onCard : `${agent} (${onCard})`;
}

function answer(report: ConformanceReport, agent: string | undefined): string[] {
  const { agentName, agentUrl, summary, levelBecause } = report;
  const ending = endingOf(report);
  const hint = firstStep(report);
  const name = agentName === "" ? short(agentUrl) : headline(agentTitle(report, agent));
  const facts = [
    `${subjects[report.subject ?? "agent"]} ${short(agentUrl)}`,
    ...fitting(
      report.interfaces.map((on) => sentence(interfaceText(on))),
      room.interfaces,
      "interface",
    ).filter(Boolean),
    sentence(dateText(report.testDate)),
    durationText(report.duration_ms),
    messagesText(report),
  ];
  return [
    `## ${outcomeWord(report)}: ${name}`,
    "",
    ...(ending === undefined ? [] : [`> ${headline(ending)}${hint ? ` ${headline(hint)}` : ""}`, ""]),
    ...(summary.total === 0
      ? []
      : [`**${findingsOf(report)}** — ${examinedOf(report)}. ${countsOf(resultCounts(report))}.`, ""]),
    ...(levelBecause === ending ? [] : [`${headline(levelText(report))}.`, ""]),
    facts.join(" · "),
    "",
    ...versions(report),
  ];
}

/** Returns a table of the tested versions; nothing if it would add nothing. */
function versions(report: ConformanceReport): string[] {
  const rows = versionsOf(report).map(
    ({ version, answer: told, known }) => `| ${sentence(version)} | ${sentence(told)} | ${sentence(known)} |`,
  );
  return rows.length
    ? ["| version | answer | known by |", "| --- | --- | --- |", ...fitting(rows, room.versions, "version"), ""]
    : [];
}

function fixFirst(report: ConformanceReport): string[] {
  const groups = failuresOf(report);
  if (groups.length === 0) return [];
  const blocks = groups.map((group, index) => failure(group, index + 1));
  return ["### Fix first", "", ...fitting(blocks, room.failures, "failure"), ""];
}

function failure(group: FailureGroup, number: number): string {
  const { example, blocks } = group;
  const marks = [
    group.where,
    ...(weightText[group.weight] === undefined ? [] : [weightText[group.weight]]),
    ...(group.also.length ? [`also ${group.also.join(", ")}`] : []),
    ...(blocks ? [`blocks ${plural(blocks, "result")}`] : []),
    ...(example.disputed ? ["contested"] : []),
    ...(example.knownFault ? [knownFaultText(example.knownFault)] : []),
  ];
  // The line begins with Assay's number and bold text, so that a message cannot open a list or a heading.
  const head = `${number}. **${ruleLink(example)}** ${sentence(group.message || example.title)} — ${sentence(marks.join(", "))}`;
  const indent = " ".repeat(`${number}. `.length);
  const diff = diffOf(example, indent);
  const facts = factsOf(example)
    .filter(({ label }) => diff.length === 0 || (label !== "saw" && label !== "want"))
    .map(
      ({ label, text, isSentence }) => `${indent}- ${label}: ${isSentence ? sentence(text) : code(cut(text, 1500))}`,
    );
  const block = [head, ...diff, ...facts].join("\n");
  return block.length > longestFailure
    ? `${head}\n${indent}- its facts are too long for this page: see the JSON or HTML report`
    : block;
}

/** Shows what left one end of a gateway and what reached the other. No line can close the fence: each has a sign. */
function diffOf({ compared }: ConformanceResult, indent: string): string[] {
  if (!compared) return [];
  const [sender, receiver] = compared.ends;
  if (sender.shows === undefined || receiver.shows === undefined) return [];
  const [sent, received] = endTexts(compared);
  const line = (text: string): string => visible(cut(text, 300));
  return [
    `${indent}\`\`\`diff`,
    `${indent}  ${line(placeText(compared))}`,
    `${indent}- ${sent}: ${line(sender.shows)}`,
    `${indent}+ ${received}: ${line(receiver.shows)}`,
    `${indent}\`\`\``,
  ];
}

/** "[LIST-003 §3.1.4](…)" */
function ruleLink({ test, section, specUrl }: ConformanceResult): string {
  const name = sentence(section ? `${test} §${section}` : test);
  // Most properties of gateways have no section.
  const link = section ? safeLink(specUrl) : undefined;
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
    ({ example, also, message, where }) =>
      `- **${ruleLink(example)}**${also.length ? ` (${sentence(also.join(", "))} too)` : ""} ${sentence(message)} — ${sentence(where)}${example.remedy === undefined ? "" : `; fix: ${sentence(example.remedy)}`}`,
  );
  return ["### Warnings", "", ...fitting(lines, room.warnings, "warning"), ""];
}

function notExamined(report: ConformanceReport): string[] {
  const groups = unexaminedOf(report);
  if (groups.length === 0) return [];
  const rows = groups.map(
    ({ reason, rules, enable, trouble, because }) =>
      `| ${rules} | ${sentence(trouble ?? because ?? reasons[reason])} | ${enable === undefined ? "" : short(enable)} |`,
  );
  return [
    "### Not examined",
    "",
    `| ${report.subject === "gateway" ? "properties" : "rules"} | why | examine them with |`,
    "| ---: | --- | --- |",
    ...fitting(rows, room.notExamined, "reason"),
    "",
  ];
}

function remarks(report: ConformanceReport): string[] {
  const { leftOut, notes, slowedDown } = report;
  const sdk = sdkOf(report);
  const lines = [
    ...(sdk === undefined ? [] : [`- SDK: ${sentence(sdk)}`]),
    ...leftOut.map(({ interface: on, because }) => `- not tested: ${sentence(`${interfaceText(on)}: ${because}`)}`),
    ...notes.map((note) => `- note: ${sentence(note)}`),
    ...(slowedDown ? [`- note: ${sentence(slowedDownText(slowedDown))}`] : []),
  ];
  return lines.length ? ["### Notes", "", ...fitting(lines, room.remarks, "note"), ""] : [];
}

/** Renders the clients that work with the agent, folded. */
function forecast({ forecast: found }: ConformanceReport): string[] {
  if (!found) return [];
  return [
    "<details>",
    `<summary>Forecast: ${forecastAnswer(found)}</summary>`,
    "",
    ...tableHead,
    ...fitting(clientRows(found), room.forecast, "client"),
    "",
    ...adviceLines(found),
    "</details>",
    "",
  ];
}

function expected(report: ConformanceReport): string[] {
  const lines = expectedOf(report).map((line) => `- ${sentence(line)}`);
  return lines.length ? ["### Expected failures", "", ...fitting(lines, room.expected, "expected failure"), ""] : [];
}

/** Lists the harmless changes of a gateway. */
function changes(report: ConformanceReport): string[] {
  const results = report.subject === "gateway" ? resultsOf(report) : [];
  const blocks = rowsOf(results.filter(({ verdict, compared }) => verdict === "pass" && compared)).map(
    ({ example, where }) =>
      [
        `- **${ruleLink(example)}** ${sentence(example.info ?? example.title)} — ${sentence(where)}`,
        ...diffOf(example, "  "),
      ].join("\n"),
  );
  return blocks.length ? ["### Changed harmlessly", "", ...fitting(blocks, room.changes, "change"), ""] : [];
}

function tables(report: ConformanceReport, most: number): string[] {
  const groups = Object.entries(report.categories).filter(([, results]) => results.length > 0);
  let left = most - groups.length * frame;
  return groups.flatMap(([member, results], index) => {
    // Shares the room between the tables. The room that a short table leaves goes to the tables after it.
    const share = Math.floor(left / (groups.length - index));
    const failed = results.filter(({ verdict }) => verdict === "fail").length;
    const warned = results.filter(({ warning }) => warning !== undefined).length;
    const rows = fitting(rowsOf(results).toSorted(byGravity).map(row), share, "line");
    left -= sizeOf(rows);
    return [
      "<details>",
      `<summary>${categories[member as CategoryMember]}: ${[plural(results.length, "result"), `${failed} failed`, ...warnedText(warned)].join(", ")}</summary>`,
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

/** Verdicts in the order in which they are shown if there is no room for all. */
const gravity = ["fail", "error", "blocked", "not-examined", "pass", "not-applicable"];

const byGravity = ({ example: a }: ResultRow, { example: b }: ResultRow): number => placeOf(a) - placeOf(b);

const placeOf = ({ verdict, warning }: ConformanceResult): number =>
  warning === undefined ? gravity.indexOf(verdict) : 0.5;

function row({ example: { test, title, verdict, warning }, where, remark }: ResultRow): string {
  const said = prose(cut(remark === "" ? title : `${title}: ${remark}`, 300));
  return `| ${sentence(test)} | ${sentence(where)} | ${verdict}${warning === undefined ? "" : ", warning"} | ${said} |`;
}

/** Returns the blocks that fit; the last line counts the others. */
function fitting(blocks: readonly string[], most: number, what: string): string[] {
  const taken: string[] = [];
  let left = most;
  for (const block of blocks) {
    left -= block.length + 1;
    if (left < 0)
      return [
        ...taken,
        "",
        `… and ${plural(blocks.length - taken.length, `more ${what}`)}: see the JSON or HTML report.`,
      ];
    taken.push(block);
  }
  return taken;
}

/** Returns the size of lines, including their line ends. */
const sizeOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length + 1, 0);
