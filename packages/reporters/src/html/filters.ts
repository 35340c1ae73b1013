import { type ConformanceReport, type ConformanceResult, resultsOf, whereOf } from "@assay/suite/report";
import { cut } from "@assay/suite/text";
import { h, ours, type SafeHtml } from "../safe-html.ts";

/** More bindings and versions than these an agent does not offer; a hostile card may list any number. */
const mostPlaces = 24;

const verdicts = { all: "everything", fail: "failed", warning: "warnings", skip: "skipped", pass: "passed" };

/**
 * What is shown of the page: by verdict and by binding, which style sheets do alone, so that it works wherever scripts are
 * forbidden; and by rule, which the one script of the page does.
 */
export class Filters {
  readonly #places: readonly string[];

  constructor(report: ConformanceReport) {
    this.#places = [...new Set(resultsOf(report).map(whereOf))].slice(0, mostPlaces);
  }

  /** The classes by which something is shown or hidden. */
  classesOf(results: readonly ConformanceResult[]): string {
    const places = new Set(results.map(whereOf));
    return this.#places.flatMap((place, index) => (places.has(place) ? [`at-${index}`] : [])).join(" ");
  }

  get controls(): SafeHtml {
    return h`<div class="filters panel" role="group" aria-label="What is shown">
<fieldset><legend>Show</legend>${Object.entries(verdicts).map(([key, name]) => choice("show", key, name))}</fieldset>
${this.#places.length < 2 ? undefined : h`<fieldset><legend>Over</legend>${[["all", "everything"] as const, ...this.#places.map((place, index) => [String(index), place] as const)].map(([key, name]) => choice("at", key, cut(name, 40)))}</fieldset>`}
<p class="by-rule" hidden><label><span>Find</span> <input type="search" id="by-rule" placeholder="rule or word" autocomplete="off" spellcheck="false"></label> <output id="shown" aria-live="polite"></output></p>
</div>`;
  }

  get style(): SafeHtml {
    const byVerdict = Object.keys(verdicts).filter((key) => key !== "all");
    const rules = [
      ...byVerdict.map((key) => hidden(`#show-${key}`, key)),
      ...this.#places.map((_, index) => hidden(`#at-${index}`, `at-${index}`)),
    ];
    return ours(rules.join("\n"));
  }
}

const choice = (group: string, key: string, name: string): SafeHtml =>
  h`<label><input type="radio" name="${group}" id="${group}-${key}"${key === "all" ? h` checked` : undefined}> ${name}</label> `;

const hidden = (chosen: string, kind: string): string =>
  `body:has(${chosen}:checked) .item:not(.${kind}), body:has(${chosen}:checked) .category:not(:has(.${kind})) { display: none; }`;
