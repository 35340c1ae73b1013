import {
  bindingName,
  type ConformanceReport,
  equivalenceOf,
  equivalenceText,
  foldRun,
  type RunEvent,
  resultsOf,
} from "@assay/suite/report";
import type { PlanPage } from "@assay/viewer/documents";
import { heading, list, table, text } from "./plan-page.ts";

/** The result of comparing the versions of an agent. */
export interface VersionCheck {
  readonly format: "assay-upgrade-check/1";
  readonly tool: { readonly name: "assay"; readonly version: string };
  readonly run: string;
  /** ISO 8601 */
  readonly at: string;
  readonly agent: { readonly name: string; readonly version: string; readonly url: string };
  readonly outcome: "equivalent" | "different" | "unknown";
  readonly because: string;
  readonly messages: { readonly sent: number; readonly announced: number };
  readonly compared: NonNullable<ConformanceReport["comparedVersions"]>;
  /** broken rules about several versions at one address */
  readonly broken: readonly BrokenRule[];
}

interface BrokenRule {
  readonly rule: string;
  readonly where: string;
  readonly message: string;
  readonly fix: string;
}

/**
 * The options of a run that checks several versions: rules about them, and rules whose observations make a task in each
 * version and cancel one. A quick run cancels none, so the depth is full, and the budget is that of a quick run.
 */
export const checkOptions = {
  only: ["V03-VER-*", "CANCEL-001", "CANCEL-002"],
  equivalent: true,
  depth: "full",
  budget: 8,
} as const;

/** Makes the check from the events of a run with `equivalent`. */
export function checkOf(events: readonly RunEvent[]): VersionCheck {
  const report = foldRun(events);
  const broken = resultsOf(report)
    .filter(({ test, verdict }) => test.startsWith("V03-VER-") && verdict === "fail")
    .map(({ test, interface: on, message, title, remedy }) => ({
      rule: test,
      where: on ? `${bindingName(on.binding)} ${on.dialect}` : "card",
      message: message ?? title,
      fix: remedy ?? "",
    }));
  const equivalence = report.ending === "done" ? equivalenceOf(report) : "unknown";
  return {
    format: "assay-upgrade-check/1",
    tool: report.tool,
    run: report.run,
    at: report.testDate,
    agent: { name: report.agentName, version: report.agentVersion, url: report.agentUrl },
    outcome: broken.length ? "different" : equivalence,
    because:
      broken.length && equivalence !== "different"
        ? `rules about several versions are broken: ${[...new Set(broken.map(({ rule }) => rule))].join(", ")}`
        : (report.message ?? equivalenceText(report)),
    messages: { sent: report.summary.workingMessages, announced: report.summary.plannedMessages },
    compared: report.comparedVersions ?? [],
    broken,
  };
}

const titles = {
  equivalent: "The versions are equivalent",
  different: "The versions are not equivalent",
  unknown: "The versions could not be compared",
};

/** Lays a check out for terminal, Markdown and page. */
export function checkPage(
  { agent, outcome, because, compared, broken, messages, run }: VersionCheck,
  isRecorded: boolean,
): PlanPage {
  return {
    title: `${titles[outcome]}: ${agent.name || agent.url}`,
    answer: `${outcome === "equivalent" ? "All that was compared is the same" : because.replace(/^./, (letter) => letter.toUpperCase())}. ${messages.sent} of at most ${messages.announced} messages${isRecorded ? `, recording ${run}` : ""}.`,
    blocks: [
      ...compared.flatMap(({ older, newer, comparisons }) => [
        heading(`A2A ${older.dialect} and 1.0 over ${bindingName(older.binding)}`),
        ...(older.url === newer.url ? [] : [text(`${older.dialect} at ${older.url}, 1.0 at ${newer.url}.`)]),
        ...table(
          ["Compared", "Result", "Details"],
          comparisons.map(({ subject, is, message = "", evidence = [] }) => [
            subject,
            is,
            `${message}${evidence.length ? ` (exchanges ${evidence.join(", ")})` : ""}`,
          ]),
        ),
      ]),
      ...(broken.length
        ? [
            heading("Broken rules"),
            list(broken.map(({ rule, where, message, fix }) => `${rule}, ${where}: ${message}. ${fix}`)),
          ]
        : []),
    ],
  };
}
