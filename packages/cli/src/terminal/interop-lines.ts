import type { GroundRow, Interop, InteropDirection, Understanding } from "@assay/proxy";
import { type ConformanceReport, outcomeWord } from "@assay/suite/report";
import { plural } from "../phrases.ts";
import { brief, escapeText } from "./escape.ts";
import { foundText } from "./report-text.ts";
import type { Screen } from "./screen.ts";
import { cutTo, padTo } from "./width.ts";

type Colors = Screen["colors"];

const widths = { what: 14, side: 34, common: 60 };

const titleOf = ({ name, version, url }: Interop["a"]): string => brief(`${name} ${version}`.trim() || url, 80);

/** Compares the capabilities of two agents side by side. */
export function groundLines({ a, b, ground }: Interop, colors: Colors): string[] {
  const cells = (what: string, one: string, other: string, common: string): string =>
    [padTo(what, widths.what), cell(one), cell(other), common].join(" ").trimEnd();
  const head = colors.bold(cells("", `A  ${titleOf(a)}`, `B  ${titleOf(b)}`, ""));
  return [head, ...ground.rows.map((row) => cells(row.what, listOf(row.a), listOf(row.b), commonOf(row)))];
}

const cell = (text: string): string => padTo(cutTo(text, widths.side), widths.side);
const listOf = (values: readonly string[]): string => values.map((value) => brief(value, 60)).join(", ") || "none";
const commonOf = ({ a, b, common }: GroundRow): string => {
  if (common.length) return `common: ${cutTo(listOf(common), widths.common)}`;
  return a.length && b.length ? "nothing in common" : "";
};

/** Summarises the test of one agent as a server. */
export const testedLine = (which: string, report: ConformanceReport, colors: Colors): string => {
  const paint =
    report.outcome === "conformant" ? colors.green : report.outcome === "inconclusive" ? colors.yellow : colors.red;
  return `${which} as a server   ${paint(outcomeWord(report))}   ${foundText(report)}, ${plural(report.summary.examined, "rule")} examined`;
};

export function directionLines(way: InteropDirection, colors: Colors): string[] {
  const title = way.direction === "a-to-b" ? "A → B" : "B → A";
  if (way.untried !== undefined) return [`${title}   ${colors.dim(`– ${escapeText(way.untried)}`)}`];
  const parts = way.exchanged.map(({ how, sent, answered }) => {
    const mark = answered === sent ? colors.green("✓") : colors.red("✗");
    return `${mark} ${how}: ${answered} of ${sent} answered`;
  });
  if (way.canceled) parts.push(canceledText(way.canceled, colors));
  const breaches = new Map(
    way.calls.flatMap(({ breaches: all }) => all).map((each) => [`${each.party} ${each.rule} ${each.message}`, each]),
  );
  return [
    `${title}   ${parts.join("   ")}   ${colors.dim(plural(way.calls.length, "call"))}`,
    ...standInLine(way, colors),
    ...[...breaches.values()].map(({ party, rule, severity, message }) => {
      const isStandIn = party === "client" && way.standIn !== undefined;
      const whose = isStandIn ? way.standIn : (party === "client") === (way.direction === "a-to-b") ? "A" : "B";
      const mark = severity === "fail" ? colors.red("✗") : colors.yellow("!");
      return `        ${mark} ${whose} as ${party === "client" ? "a client" : "an agent"}: ${brief(message, 160)} (${rule})`;
    }),
  ];
}

const standInLine = ({ standIn, from, direction }: InteropDirection, colors: Colors): string[] => {
  if (standIn === undefined) return [];
  const agent = escapeText(from || (direction === "a-to-b" ? "A" : "B"));
  return [
    `        ${colors.dim(`${escapeText(standIn)} stands in for ${agent}, which cannot be made to call another agent (--relay)`)}`,
  ];
};

function canceledText(canceled: NonNullable<InteropDirection["canceled"]>, colors: Colors): string {
  switch (canceled.is) {
    case "canceled":
      return `${colors.green("✓")} cancel: the other agent cancels its task`;
    case "not-canceled":
      return `${colors.yellow("!")} cancel: ${brief(canceled.because, 120)}`;
    case "untried":
      return colors.dim(`– cancel: ${brief(canceled.because, 120)}`);
  }
}

const sentences = {
  yes: (client: string, agent: string) => `${client} understands ${agent}`,
  no: (client: string, agent: string) => `${client} does not understand ${agent}`,
  unknown: (client: string, agent: string) => `Not tested: ${client} and ${agent}`,
} as const;

export function understandingLines(
  { direction, is, because, standIn }: Understanding,
  needs: readonly string[],
  colors: Colors,
): string[] {
  const [from, agent] = direction === "a-to-b" ? (["A", "B"] as const) : (["B", "A"] as const);
  const client = standIn === undefined ? `A client of ${from}` : `${escapeText(standIn)} (standing in for ${from})`;
  const paint = { yes: colors.green, no: colors.red, unknown: colors.yellow }[is];
  return [
    `${paint(sentences[is](client, agent))}${is === "yes" ? `: ${escapeText(because.join("; "))}` : ""}`,
    ...(is === "yes" ? [] : because.map((reason) => `  ${brief(reason, 300)}`)),
    ...needs.map((need) => `  ${colors.dim(escapeText(need))}`),
  ];
}
