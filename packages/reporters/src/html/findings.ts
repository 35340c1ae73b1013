import {
  type ConformanceReport,
  type ConformanceResult,
  type FailureGroup,
  type FindingGroup,
  knownFaultText,
  weightText,
  whereOf,
} from "@assay/suite/report";
import { cut, factsOf, plural } from "@assay/suite/text";
import { sentenceCase } from "../look/sentence-parts.ts";
import { h, type SafeHtml } from "../safe-html.ts";
import type { EvidenceSections } from "./evidence.ts";
import type { Filters } from "./filters.ts";
import { ruleText, sentence } from "./sentence.ts";

/** What a finding is shown with. */
export interface FindingContext {
  readonly evidence: EvidenceSections;
  readonly filters: Filters;
}

/** So many failures are unfolded from the start; the others by a click. */
const unfolded = 3;

export function fixFirst(groups: readonly FailureGroup[], context: FindingContext): SafeHtml {
  if (groups.length === 0) return h``;
  return h`<section aria-labelledby="fix-first"><h2 id="fix-first">Fix first</h2>
${groups.map((group, index) => failure(group, index + 1, context))}</section>`;
}

function failure(group: FailureGroup, number: number, { evidence, filters }: FindingContext): SafeHtml {
  const { example, also, message, where, blocks, weight, holdsUp, sightings, results } = group;
  const weighs = weightText[weight];
  return h`<details class="finding item fail panel ${filters.classesOf(results)}" id="fix-${number}"${number <= unfolded ? h` open` : undefined}>
<summary><h3><span class="number">${number}</span> ${sentence(sentenceCase(message || example.title))}</h3>
<span class="meta"><b class="id">${example.test}</b> <span class="chip">${where}</span>${weighs === undefined ? undefined : h` <span class="chip grave">${weighs}</span>`}${also.length ? h` <span class="chip">also ${cut(also.join(", "), 120)}</span>` : undefined}${blocks ? h` <span class="chip held">holds up ${plural(blocks, "result")}</span>` : undefined}${example.disputed ? h` <span class="chip">contested</span>` : undefined}${example.knownFault ? h` <span class="chip">${knownFaultText(example.knownFault)}</span>` : undefined}</span></summary>
<p class="title">${ruleText(example)}</p>
${proof(example)}
${seenAs(sightings)}
${heldUp(holdsUp)}
${evidence.of(example)}</details>
`;
}

const proof = (example: ConformanceResult): SafeHtml =>
  h`<dl class="proof">${factsOf(example).map(
    ({ label, text, isSentence }) =>
      h`<div><dt>${label}</dt>${isSentence ? h`<dd>${sentence(text, 3000)}</dd>` : h`<dd class="mono">${cut(text, 3000)}</dd>`}</div>`,
  )}</dl>`;

function seenAs(sightings: FailureGroup["sightings"]): SafeHtml {
  if (sightings.length === 0) return h``;
  const lines = sightings.map(
    ({ test, where, message }) =>
      h`<li><b>${test}</b> <span class="chip">${where}</span> ${sentence(sentenceCase(message))}</li>\n`,
  );
  return h`<details class="more"><summary>seen in ${plural(sightings.length, "way")}</summary><ul class="lines">${lines}</ul></details>`;
}

/** Rules that a failure holds up, each with the places where it does. */
function heldUp(results: readonly ConformanceResult[]): SafeHtml {
  if (results.length === 0) return h``;
  const rules = new Map<string, { title: string; places: Set<string> }>();
  for (const result of results) {
    const known = rules.get(result.test) ?? { title: result.title, places: new Set() };
    known.places.add(whereOf(result));
    rules.set(result.test, known);
  }
  const lines = [...rules].map(
    ([test, { title, places }]) =>
      h`<li><b>${test}</b> <span class="chip">${[...places].join(", ")}</span> ${sentence(sentenceCase(title))}</li>\n`,
  );
  return h`<details class="more"><summary>holds up ${plural(results.length, "result")}</summary><ul class="lines">${lines}</ul></details>`;
}

export function warnings(groups: readonly FindingGroup[], { evidence, filters }: FindingContext): SafeHtml {
  if (groups.length === 0) return h``;
  return h`<section aria-labelledby="warnings"><h2 id="warnings">Warnings</h2>
${groups.map(
  ({
    example,
    also,
    message,
    where,
    results,
  }) => h`<details class="finding item warning panel ${filters.classesOf(results)}">
<summary><h3><span class="number" aria-hidden="true">!</span> ${sentence(sentenceCase(message))}</h3>
<span class="meta">${[example.test, ...also].map((test) => h`<b class="id">${test}</b> `)}<span class="chip">${where}</span></span>${example.remedy === undefined ? undefined : h`<span class="fix">${sentence(example.remedy, 3000)}</span>`}</summary>
<p class="title">${ruleText(example)}</p>
${proof(example)}
${evidence.of(example)}</details>
`,
)}</section>`;
}

/** What was held up by a failure that is not told above: one that a baseline expects, or that was lost. */
export function otherCauses({ rootCauses }: ConformanceReport, failures: readonly FailureGroup[]): SafeHtml {
  const told = new Set(failures.flatMap(({ test, also }) => [test, ...also]));
  const lines = rootCauses
    .filter(({ test }) => !told.has(test))
    .map(
      (cause) =>
        h`<li>${plural(cause.blocks, "result")} by ${cause.test} (${whereOf(cause)}): ${sentence(cause.message)}</li>`,
    );
  if (lines.length === 0) return h``;
  return h`<section aria-labelledby="held-up"><h2 id="held-up">Held up</h2><ul class="lines">${lines}</ul></section>`;
}
