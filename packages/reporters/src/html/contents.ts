import type { ConformanceReport, FailureGroup, FindingGroup } from "@assay/suite/report";
import { plural } from "@assay/suite/text";
import { sentenceCase } from "../look/sentence-parts.ts";
import { h, type SafeHtml } from "../safe-html.ts";
import { sentence } from "./sentence.ts";

/** All failures in the order of importance, with the way to each; and what else the page has. */
export function contents(
  report: ConformanceReport,
  failures: readonly FailureGroup[],
  warned: readonly FindingGroup[],
): SafeHtml {
  const { total } = report.summary;
  if (failures.length === 0) return h``;
  const classes = new Map<string, (readonly [number: number, group: FailureGroup])[]>();
  for (const [index, group] of failures.entries())
    classes.set(classOf(group), [...(classes.get(classOf(group)) ?? []), [index + 1, group]]);
  return h`<nav aria-label="On this page">
<h2>${plural(failures.length, "thing")} to fix</h2>
${[...classes].map(([name, groups]) => h`<h3>${name}</h3><ol>${groups.map(([number, group]) => entry(number, group))}</ol>`)}
<ul class="parts">${warned.length ? h`<li><a href="#warnings">${plural(warned.length, "warning")}</a></li>` : undefined}<li><a href="#results">All ${total} results</a></li></ul>
</nav>`;
}

const entry = (number: number, { message, example, test, where }: FailureGroup): SafeHtml =>
  h`<li><a href="#fix-${number}"><span class="number">${number}</span> <span class="what">${sentence(sentenceCase(message || example.title), 200)}</span>
<small>${test} · ${where}</small></a></li>`;

/** Why it stands where it stands. */
function classOf({ weight, blocks, example }: FailureGroup): string {
  if (example.disputed) return "Contested";
  if (weight === "card") return "Makes the card invalid";
  if (weight === "basics") return "Breaks the basics";
  if (weight === "core") return "Breaks the core";
  return blocks ? "Holds others up" : "Beside the core";
}
