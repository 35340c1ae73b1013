import {
  type CategoryMember,
  type ConformanceReport,
  type ConformanceResult,
  categories,
  type FailureGroup,
} from "@assay/suite/report";
import { type ResultRow, rowsOf, safeLink } from "@assay/suite/text";
import { sentenceCase } from "../look/sentence-parts.ts";
import { h, type SafeHtml } from "../safe-html.ts";
import type { Filters } from "./filters.ts";
import { sentence } from "./sentence.ts";

/** Every result, by category. */
export function everything(report: ConformanceReport, failures: readonly FailureGroup[], filters: Filters): SafeHtml {
  if (report.summary.total === 0) return h``;
  const places = new Map(
    failures.flatMap(({ results }, index) => results.map((result) => [result, index + 1] as const)),
  );
  return h`<section aria-labelledby="results" class="results"><h2 id="results">All results</h2>
${Object.entries(report.categories).map(([member, results]) => category(member as CategoryMember, results, { places, filters }))}</section>`;
}

interface RowContext {
  readonly places: ReadonlyMap<ConformanceResult, number>;
  readonly filters: Filters;
}

function category(member: CategoryMember, results: readonly ConformanceResult[], context: RowContext): SafeHtml {
  if (results.length === 0) return h``;
  const count = (status: ConformanceResult["status"]): number =>
    results.filter((each) => each.status === status).length;
  const failed = count("fail");
  const name = sentenceCase(categories[member].replaceAll("-", " "));
  return h`<details class="category panel"><summary><h3>${name}</h3> <span class="tally">${failed ? h`<b class="fail">${failed} failed</b> · ` : undefined}${count("pass")} passed · ${count("skip")} skipped</span></summary>
<table><thead><tr><th scope="col">verdict</th><th scope="col">rule</th><th scope="col">where</th><th scope="col">what was found</th></tr></thead>
<tbody>
${rowsOf(results).map((each) => row(each, context))}</tbody></table></details>
`;
}

function row({ example, results, where, remark }: ResultRow, { places, filters }: RowContext): SafeHtml {
  const { test, title, section, specUrl, verdict, status, warning, disputed, tags } = example;
  const number = places.get(example);
  const link = safeLink(specUrl);
  const id = link === undefined ? h`${test}` : h`<a href="${link}" rel="noreferrer" title="§${section}">${test}</a>`;
  const mark = [...(warning === undefined ? [] : ["with a warning"]), ...(disputed ? ["contested"] : [])].join(", ");
  return h`<tr class="item ${status}${warning === undefined ? "" : " warning"} ${filters.classesOf(results)}"><td><span class="verdict ${verdict}">${verdict.replaceAll("-", " ")}</span>${mark === "" ? undefined : h`<small>${mark}</small>`}</td><th scope="row">${id}${tags && h`<small>${tags.join(", ")}</small>`}</th><td>${where}</td><td>${sentence(title)}${remark === "" ? undefined : h`<small>${sentence(remark, 400)}</small>`}${number === undefined ? undefined : h` <a href="#fix-${number}">see ${number} above</a>`}</td></tr>
`;
}
