import { cut, jsonText, visible } from "@assay/suite/text";
import { type AnnotationKind, annotation } from "./github.ts";
import type { Run } from "./run.ts";
import { gateResult, sarifDocument, sarifRun, slug } from "./sarif.ts";

/** A requirement of a policy, and its result. */
export interface GateLine {
  readonly gate: "test" | "cardDiff" | "signature" | "forecast";
  /** `not-examined` is never a success */
  readonly status: "passed" | "failed" | "not-examined";
  readonly because: string;
  /** the findings behind it */
  readonly details: readonly string[];
}

/** The verdict of `assay gate`. */
export interface GateReport {
  readonly agent: string;
  readonly policy: string;
  readonly verdict: GateLine["status"];
  readonly gates: readonly GateLine[];
}

export const gateJson = (report: GateReport): string => `${jsonText(report, 2)}\n`;

export const statusWords: Readonly<Record<GateLine["status"], string>> = {
  passed: "passed",
  failed: "failed",
  "not-examined": "not examined",
};

/** Renders the gates as SARIF, next to the findings of the test. */
export const gateSarif = (report: GateReport, version: string, run?: Run): string => {
  const { agent } = report;
  const open = report.gates.filter(({ status }) => status !== "passed");
  const gates = {
    tool: {
      driver: {
        name: "Assay gate",
        semanticVersion: version,
        rules: open.map(({ gate }) => ({
          id: `assay-gate-${gate}`,
          shortDescription: { text: `The gate ${gate} passes` },
          defaultConfiguration: { level: "error" },
        })),
      },
    },
    automationDetails: { id: `assay/gate/${slug(agent)}/` },
    columnKind: "utf16CodeUnits",
    results: open.map(({ gate, status, because, details }, ruleIndex) =>
      gateResult(agent, `assay-gate-${gate}`, ruleIndex, [
        `${agent}: ${gate} ${statusWords[status]}: ${because}`,
        ...details,
      ]),
    ),
  };
  return sarifDocument([...(run ? [sarifRun({ ...run, agent })] : []), gates]);
};

/** Renders the gates as Markdown, for the summary of a job. */
export const gateMarkdown = ({ agent, verdict, gates }: GateReport): string =>
  [
    `## Gate ${statusWords[verdict]}: ${cell(agent)}`,
    "",
    "| gate | result | why |",
    "|---|---|---|",
    ...gates.map(({ gate, status, because }) => `| ${gate} | ${statusWords[status]} | ${cell(because)} |`),
    ...gates.flatMap(({ gate, details }) =>
      details.length ? ["", `### ${gate}`, "", ...details.map((each) => `- ${cell(each)}`)] : [],
    ),
    "",
  ].join("\n");

/** Escapes text of an agent, so that it forms no markup. */
const cell = (text: string): string => visible(cut(text, 500)).replace(/[\\`*_{}[\]<>|#&]/g, "\\$&");

/** Returns annotations for GitHub's runner, one for each gate. */
export const gateAnnotations = ({ agent, gates }: GateReport): string =>
  gates
    .map(({ gate, status, because, details }) => {
      const kind: AnnotationKind = status === "passed" ? "notice" : "error";
      return `${annotation(kind, `${agent}: A2A gate ${gate}: ${statusWords[status]}`, because, ...details.slice(0, 10))}\n`;
    })
    .join("");
