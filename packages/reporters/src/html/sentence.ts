import type { ConformanceResult } from "@assay/suite/report";
import { cut, safeLink } from "@assay/suite/text";
import { sentenceParts } from "../look/sentence-parts.ts";
import { h, type SafeHtml } from "../safe-html.ts";

/** A sentence, in which backticks say "code". */
export const sentence = (text: string, most = 600): SafeHtml =>
  h`${sentenceParts(cut(text, most)).map(({ isCode, text: part }) => (isCode ? h`<code>${part}</code>` : h`${part}`))}`;

/** What a rule asks, how strongly, and where that stands in the specification. */
export function ruleText({ title, section, specUrl, level }: ConformanceResult): SafeHtml {
  const link = safeLink(specUrl);
  const place = link === undefined ? h`§${section}` : h`<a href="${link}" rel="noreferrer">§${section}</a>`;
  return h`${level.replace("_", " ")} ${place}: ${sentence(title)}.`;
}
