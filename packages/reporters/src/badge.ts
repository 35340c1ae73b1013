import { type ConformanceReport, outcomeWord } from "@assay/suite/report";
import { markup } from "@assay/suite/text";
import type { Run } from "./run.ts";

/** Dark enough for white letters: each has a contrast above 4.5 to 1. */
const colors: Record<ConformanceReport["outcome"], string> = {
  conformant: "#1a7f37",
  "not-conformant": "#b3261e",
  inconclusive: "#57606a",
};

const height = 20;
const margin = 7;
const subject = "A2A";

/** Draws the result for a README: outcome, level, share examined and date. It shows no text of the agent. */
export const badge = ({ report }: Run): string => drawnBadge(answerOf(report), report.outcome);

/** Draws a badge with other words, separated by dots. */
export function drawnBadge(words: readonly string[], outcome: ConformanceReport["outcome"]): string {
  const answer = words.join(" · ");
  const [left, right] = [widthOf(subject) + 2 * margin, widthOf(answer) + 2 * margin];
  const label = markup(`${subject}: ${answer}`);
  const letters = (text: string, at: number): string =>
    `    <text x="${at + margin}" y="14" textLength="${widthOf(text)}" lengthAdjust="spacingAndGlyphs">${markup(text)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${height}" role="img" aria-label="${label}">`,
    `  <title>${label}</title>`,
    `  <rect width="${left + right}" height="${height}" rx="4" fill="${colors[outcome]}"/>`,
    `  <path d="M4 0H${left}V${height}H4a4 4 0 0 1 -4 -4V4a4 4 0 0 1 4 -4z" fill="#24292f"/>`,
    '  <g fill="#fff" font-family="Verdana, DejaVu Sans, Geneva, sans-serif" font-size="11">',
    letters(subject, 0),
    letters(answer, left),
    "  </g>",
    "</svg>",
    "",
  ].join("\n");
}

/** Returns outcome, level, share examined and date. */
function answerOf(report: ConformanceReport): string[] {
  const { conformanceLevel, summary, testDate } = report;
  const share = Math.floor((100 * summary.examined) / summary.applicable);
  return [
    outcomeWord(report),
    ...(conformanceLevel === null ? [] : [conformanceLevel]),
    summary.examined === 0 ? "nothing examined" : `${share} % examined`,
    testDate.slice(0, 10),
  ];
}

/** The approximate width of the letters at 11 px. `textLength` makes it exact in any font. */
const widthOf = (text: string): number =>
  Math.ceil(
    [...text].reduce((sum, letter) => sum + (/[ .·:()fijlrt]/.test(letter) ? 4.6 : /[%mwA]/.test(letter) ? 9.6 : 7), 0),
  );
