import type { PassedCall, SeenCard, SeenNotice, Sight } from "@assay/proxy";
import type { ConformanceReport } from "@assay/suite/report";
import { bindingName } from "@assay/suite/report";
import { duration, plural } from "../phrases.ts";
import { brief, escapeText } from "./escape.ts";
import type { Screen } from "./screen.ts";
import { padTo } from "./width.ts";

type Colors = Screen["colors"];

/** Returns the heading of the list of calls. */
export const proxyHead = (colors: Colors): string =>
  colors.dim(`   ${"time".padEnd(8)} ${"client → agent".padEnd(40)} ${"response".padEnd(34)} verdict`);

/** Returns a line for a call, notice or card. Further breaches of a call get their own lines. */
export function sightLines(sight: Sight, colors: Colors): string[] {
  switch (sight.is) {
    case "call":
      return callLines(sight, colors);
    case "notice":
      return [noticeLine(sight, colors)];
    case "card":
      return cardLines(sight, colors);
  }
}

const timeOf = (at: number): string => `+${(at / 1_000).toFixed(2)}`.padEnd(8);

function callLines(call: PassedCall, colors: Colors): string[] {
  const over = call.over ? `${bindingName(call.over.binding)} ${call.over.dialect}` : "";
  const asked = padTo(`${padTo(brief(call.asked, 60), 24)} ${over}`, 40);
  const answer = padTo(`${brief(call.answer, 60)}  ${duration(call.tookMs)}`, 34);
  const head = `  ${timeOf(call.at)} ${asked} ${answer} `;
  const [first, ...more] = call.breaches.map((breach) => breachText(breach, colors));
  if (first === undefined)
    return [`${head}${call.unjudged === undefined ? colors.green("✓") : colors.dim(`– ${brief(call.unjudged, 80)}`)}`];
  return [`${head}${first}`, ...more.map((text) => `${" ".repeat(87)}${text}`)];
}

function breachText({ party, rule, severity, message }: PassedCall["breaches"][number], colors: Colors): string {
  const mark = severity === "fail" ? colors.red("✗") : colors.yellow("!");
  return `${mark} ${party}: ${brief(message, 160)} (${rule})`;
}

const noticeLine = ({ at, side, text }: SeenNotice, colors: Colors): string =>
  `  ${timeOf(at)} ${colors.yellow("·")} ${side}: ${brief(text, 240)}`;

function cardLines({ at, name, version, changes }: SeenCard, colors: Colors): string[] {
  const who = `  ${timeOf(at)} ${colors.dim("·")} card of ${escapeText(`${brief(name, 80)} ${brief(version, 40)}`.trim())}`;
  return [who, ...changes.map((change) => `${" ".repeat(11)}${colors.dim(`· changed: ${brief(change, 200)}`)}`)];
}

/** Returns totals: "12 calls, 2 violations (1 client, 1 agent), 3 with faults". */
export function proxyTally(sights: {
  readonly calls: number;
  readonly agent: number;
  readonly client: number;
  readonly faulted: number;
}): string {
  const { calls, agent, client, faulted } = sights;
  const all = agent + client;
  const violations = all ? `${plural(all, "violation")} (${client} client, ${agent} agent)` : "no violations";
  return [plural(calls, "call"), violations, ...(faulted ? [`${faulted} with faults`] : [])].join(", ");
}

const words = {
  conformant: "no rule broken",
  "not-conformant": "rules broken",
  inconclusive: "nothing examined",
} as const;

/** Returns the result of each side. */
export const partyLines = ({ parties }: ConformanceReport): string[] =>
  parties
    ? (["agent", "client"] as const).map((party) => {
        const { outcome, examined, failed, warnings } = parties[party];
        const counts = `${failed} failed, ${plural(warnings, "warning")}, ${plural(examined, "rule")} examined`;
        return `${party.padEnd(7)} ${words[outcome]}: ${counts}`;
      })
    : [];
