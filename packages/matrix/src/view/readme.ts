import { code, prose } from "@assay/suite/text";
import { causesOf } from "../causes/shared-causes.ts";
import type { MatrixDocument } from "../document/document.ts";
import { scoreText } from "./labels.ts";
import { causeCount, headline } from "./markdown.ts";
import { versionText } from "./participants.ts";
import { gradeOf, gradeSigns, type Score } from "./scores.ts";
import { sdkSummaries } from "./sdk-summary.ts";

/** Formats the matrix on one screen, in Markdown: the score, and one line for each SDK. `details` is the whole matrix. */
export function matrixReadme(matrix: MatrixDocument, { details }: { readonly details: string }): string {
  const lines = sdkSummaries(matrix, causesOf(matrix)).map(({ driver, asClient, asServer, causes, failed }) => [
    code(driver.name),
    prose(versionText(driver)),
    scored(asClient),
    scored(asServer),
    causes.length === 0 ? "none" : `${failed} (${causeCount(causes.length)})`,
  ]);
  const head = ["SDK", "version", "as a client", "as a server", "failures it causes"];
  return [
    "# Which client works with which server",
    "This page shows which SDK clients of A2A work with which SDK servers. A cell is one client, one server, one binding and version, and one scenario.",
    headline(matrix),
    [head, head.map(() => "---"), ...lines].map((line) => `| ${line.join(" | ")} |`).join("\n"),
    "The numbers are the cells passed of those tried: ✓ all, ! at least four of five, ✗ fewer. A failure may also be the fault of the other side or of the specification.",
    `[${details}](${details}) has a table of clients and servers for each binding and version, and every failure by cause.`,
  ]
    .join("\n\n")
    .concat("\n");
}

const scored = (score: Score | undefined): string =>
  score ? `${gradeSigns[gradeOf(score)]} ${scoreText(score)}` : "–";
