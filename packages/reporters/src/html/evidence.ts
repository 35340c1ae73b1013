import type { AnswerPlace, ConformanceResult, ExchangeRecorded, RunEvent } from "@assay/suite/report";
import { cut, durationText, plural } from "@assay/suite/text";
import { h, type SafeHtml } from "../safe-html.ts";
import { exchangeSides } from "./exchange.ts";

/** Exchanges under one finding; a stream of polls would bury the page. */
const atOnce = 6;
/** Characters that all exchanges of a page may have together: it is to open at once, however much went wrong. */
const altogether = 5_000_000;

/** Shows each exchange where it is first needed, and points there from then on. */
export class EvidenceSections {
  readonly #exchanges = new Map<string, { readonly number: number; readonly exchange: ExchangeRecorded }>();
  readonly #shown = new Set<string>();
  #left = altogether;

  constructor(events: readonly RunEvent[]) {
    for (const event of events)
      if (event.event === "exchange")
        this.#exchanges.set(event.id, { number: this.#exchanges.size + 1, exchange: event });
  }

  of({ evidence, place }: Pick<ConformanceResult, "evidence" | "place">): SafeHtml {
    const known = [...new Set(evidence)].flatMap((id) => this.#exchanges.get(id) ?? []);
    if (known.length === 0) return h``;
    const shown = this.#left > 0 ? known.slice(0, atOnce) : [];
    const left = known.length - shown.length;
    return h`<details class="evidence"><summary>${plural(known.length, "exchange")} as recorded</summary>
${shown.map(({ number, exchange }, index) => this.#show(number, exchange, index === 0 ? place : undefined))}
${left > 0 ? h`<p>${shown.length ? "and " : ""}${left} ${shown.length ? "more " : ""}in the HAR report</p>` : undefined}</details>`;
  }

  #show(number: number, { id, entry, during }: ExchangeRecorded, place: AnswerPlace | undefined): SafeHtml {
    if (this.#shown.has(id))
      return h`<p><a href="#exchange-${number}">exchange ${number}</a>, shown elsewhere on this page${place?.path === undefined ? undefined : h`; look at <code>${cut(place.path, 200)}</code>`}</p>\n`;
    this.#shown.add(id);
    const { method, url } = entry.request;
    const { status } = entry.response;
    const section = h`<section class="exchange" id="exchange-${number}">
<h4><span class="mono">${method} ${cut(url, 300)}</span> <span class="mono">${status === 0 ? "no answer" : `→ ${status}`}</span>
<small>exchange ${number}, ${durationText(entry.time)}${during === undefined ? "" : `, for ${during}`}</small></h4>
${exchangeSides(entry, { answer: place })}</section>
`;
    this.#left -= section.text.length;
    return section;
  }
}
