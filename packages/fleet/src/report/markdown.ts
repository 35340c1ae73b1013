import { code, plural, prose } from "@assay/suite/text";
import type { AgentClass } from "../classes/agent-class.ts";
import { classFacts } from "../classes/agent-class.ts";
import type { FleetReport, FleetRow } from "./document.ts";
import { changeText, changeWords, examinedWord, headlineOf, levelWord, shareText, sweepText } from "./report-text.ts";

/** Maximum number of list rows; the JSON contains all of them. */
const most = { changes: 100, agents: 500 };

/** Formats the report as Markdown, for example for the summary of a CI job. */
export function fleetMarkdown(report: FleetReport): string {
  return [
    `# ${prose(report.fleet)}: ${headlineOf(report)}`,
    `${[sweepText(report), shareText(report)].filter(Boolean).join("; ")}.`,
    table(
      ["class", "agents"],
      Object.entries(report.classes).map(([each, count]) => [classFacts(each as AgentClass).words, String(count)]),
    ),
    ...changesOf(report),
    ...failuresOf(report),
    ...reasonsOf(report),
    ...builtWithOf(report),
    ...leagueOf(report),
    "",
  ].join("\n\n");
}

function changesOf({ changes, comparedWith }: FleetReport): string[] {
  if (!comparedWith) return [];
  const since = `## Since ${comparedWith.startedAt.slice(0, 10)}`;
  if (changes.length === 0) return [since, "Nothing changed."];
  const lines = changes
    .slice(0, most.changes)
    .map((change) => `- ${changeWords[change.kind]}: ${code(change.agent)} ${prose(changeText(change))}`);
  return [since, [...lines, ...more(changes.length, most.changes)].join("\n")];
}

function failuresOf({ failures }: FleetReport): string[] {
  if (failures.length === 0) return [];
  const rows = failures.map(({ rule, agents, title, remedy }) => [
    String(agents),
    rule,
    prose(title),
    remedy === undefined ? "" : prose(remedy),
  ]);
  return ["## The commonest failures", table(["agents", "rule", "asks", "remedy"], rows)];
}

function reasonsOf({ reasons }: FleetReport): string[] {
  if (reasons.length === 0) return [];
  const rows = reasons.map(({ agents, class: named, code: reason, remedy }) => [
    ...[String(agents), classFacts(named).words, code(reason), prose(remedy)],
  ]);
  return ["## Why others are not called working", table(["agents", "class", "reason", "remedy"], rows)];
}

function builtWithOf({ builtWith }: FleetReport): string[] {
  if (builtWith.length === 0) return [];
  const rows = builtWith.map(({ name, agents, classes, failure }) => [
    prose(name),
    String(agents),
    String(classes.working ?? 0),
    failure ? `${failure.rule} (${failure.agents})` : "",
  ]);
  return ["## By SDK", table(["built with", "agents", "working", "most common failure"], rows)];
}

function leagueOf({ agents }: FleetReport): string[] {
  const rows = agents
    .slice(0, most.agents)
    .map((row) => [
      ...[String(row.place), code(row.agent), classFacts(row.class).words, levelWord(row), examinedWord(row)],
      troubleOf(row),
    ]);
  return [
    "## League",
    [table(["", "agent", "class", "level", "examined", "to do"], rows), ...more(agents.length, most.agents)].join("\n"),
  ];
}

const troubleOf = ({ class: named, broken, reason }: FleetRow): string =>
  broken?.length ? `${plural(broken.length, "rule")} broken` : named === "working" ? "" : prose(reason.message);

const more = (count: number, shown: number): string[] =>
  count > shown ? [`\nand ${count - shown} more, which the JSON has.`] : [];

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
