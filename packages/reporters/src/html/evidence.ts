import type { AnswerPlace, ConformanceResult, ExchangeRecorded, HarEntry, RunEvent } from "@assay/suite/report";
import { cut } from "../escape.ts";
import { h, preformatted, type SafeHtml } from "../safe-html.ts";
import { durationText, plural } from "../words.ts";
import { jsonView } from "./json-view.ts";
import { timelineOf } from "./timeline.ts";

/** Characters of a head or a body that are shown. */
const most = 4096;
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
    const stream = timelineOf(entry, place);
    const section = h`<section class="exchange" id="exchange-${number}">
<h4><span class="mono">${method} ${cut(url, 300)}</span> <span class="mono">${status === 0 ? "no answer" : `→ ${status}`}</span>
<small>exchange ${number}, ${durationText(entry.time)}${during === undefined ? "" : `, for ${during}`}</small></h4>
<div class="sides">
<div><h5>request</h5><pre tabindex="0">${requestText(entry)}</pre></div>
<div><h5>answer</h5><pre tabindex="0">${answerText(entry, stream ? undefined : bodyOf(entry, place))}</pre></div>
</div>
${stream}</section>
`;
    this.#left -= section.text.length;
    return section;
  }
}

function requestText({ request }: HarEntry): SafeHtml {
  const { postData } = request;
  const head = [`${request.method} ${request.url} ${request.httpVersion}`, ...headerLines(request.headers)];
  return h`${preformatted(cut(head.join("\n"), most))}${postData && h`\n\n${bodyText(postData.text, postData._encoding, undefined)}`}`;
}

function answerText({ response }: HarEntry, body: SafeHtml | undefined): SafeHtml {
  const { _trailers, _error } = response;
  if (response.status === 0) return preformatted(_error ?? "no answer came");
  const head = [
    `${response.httpVersion} ${response.status} ${response.statusText}`.trim(),
    ...headerLines(response.headers),
  ];
  const ending = [
    ...(_trailers ? ["", cut(headerLines(_trailers).join("\n"), most)] : []),
    ...(_error === undefined ? [] : ["", `[broke off: ${_error}]`]),
  ].join("\n");
  return h`${preformatted(cut(head.join("\n"), most))}${body && h`\n\n${body}`}${preformatted(ending)}`;
}

const bodyOf = ({ response: { content } }: HarEntry, place: AnswerPlace | undefined): SafeHtml =>
  bodyText(content.text, content.encoding, place?.path);

const headerLines = (headers: HarEntry["request"]["headers"]): string[] =>
  headers.map(({ name, value }) => `${name}: ${value}`);

function bodyText(text: string, encoding: "base64" | undefined, path: string | undefined): SafeHtml {
  if (encoding !== undefined) return preformatted(`[in base64] ${cut(text, most)}`);
  return jsonView(text, path) ?? preformatted(cut(text, most));
}
