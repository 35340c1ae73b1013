import type { ConformanceResult } from "@assay/suite/report";
import { cut } from "../escape.ts";
import { h, type SafeHtml } from "../safe-html.ts";
import { safeLink } from "../words.ts";

/** Begins as sentences do, unless it begins with a name, such as that of a member, which is spelt as it is. */
export const sentenceCase = (text: string): string =>
  /^[a-z]+([ ,]|$)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;

/** A sentence, in which backticks say "code". */
export const sentence = (text: string, most = 600): SafeHtml =>
  h`${cut(text, most)
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 ? h`<code>${part}</code>` : h`${part}`))}`;

/** What a rule asks, how strongly, and where that stands in the specification. */
export function ruleText({ title, section, specUrl, level }: ConformanceResult): SafeHtml {
  const link = safeLink(specUrl);
  const place = link === undefined ? h`§${section}` : h`<a href="${link}" rel="noreferrer">§${section}</a>`;
  return h`${level.replace("_", " ")} ${place}: ${sentence(title)}.`;
}
