import type { ExchangeRecorded, HarEntry, RunEvent } from "@assay/suite/report";
import { cut } from "./escape.ts";
import { h, preformatted, type SafeHtml } from "./safe-html.ts";
import { durationText, plural } from "./words.ts";

/** Characters of a head or a body that are shown. */
const most = 4096;
/** Exchanges under one finding; a stream of polls would bury the page. */
const atOnce = 6;

/** Shows each exchange where it is first needed, and points there from then on. */
export class EvidenceSections {
  readonly #exchanges = new Map<string, { readonly number: number; readonly exchange: ExchangeRecorded }>();
  readonly #shown = new Set<string>();

  constructor(events: readonly RunEvent[]) {
    for (const event of events)
      if (event.event === "exchange")
        this.#exchanges.set(event.id, { number: this.#exchanges.size + 1, exchange: event });
  }

  of(ids: readonly string[]): SafeHtml {
    const known = [...new Set(ids)].flatMap((id) => this.#exchanges.get(id) ?? []);
    if (known.length === 0) return h``;
    const left = known.length - atOnce;
    return h`<details class="evidence"><summary>${plural(known.length, "exchange")} as recorded</summary>
${known.slice(0, atOnce).map(({ number, exchange }) => this.#show(number, exchange))}
${left > 0 ? h`<p>and ${left} more in the HAR report</p>` : undefined}</details>`;
  }

  #show(number: number, { id, entry, during }: ExchangeRecorded): SafeHtml {
    if (this.#shown.has(id)) return h`<p><a href="#exchange-${number}">exchange ${number}</a>, shown above</p>\n`;
    this.#shown.add(id);
    const { method, url } = entry.request;
    const { status } = entry.response;
    return h`<section class="exchange" id="exchange-${number}">
<h4><span class="mono">${method} ${cut(url, 300)}</span> <span class="mono">${status === 0 ? "no answer" : `→ ${status}`}</span>
<small>exchange ${number}, ${durationText(entry.time)}${during === undefined ? "" : `, for ${during}`}</small></h4>
<div class="sides">
<div><h5>request</h5><pre tabindex="0">${preformatted(requestText(entry))}</pre></div>
<div><h5>answer</h5><pre tabindex="0">${preformatted(answerText(entry))}</pre></div>
</div></section>
`;
  }
}

function requestText({ request }: HarEntry): string {
  const { postData } = request;
  const head = [`${request.method} ${request.url} ${request.httpVersion}`, ...headerLines(request.headers)];
  const body = postData ? `\n\n${bodyText(postData.text, postData._encoding)}` : "";
  return cut(head.join("\n"), most) + body;
}

function answerText({ response }: HarEntry): string {
  const { content, _trailers, _error } = response;
  if (response.status === 0) return _error ?? "no answer came";
  const head = [
    `${response.httpVersion} ${response.status} ${response.statusText}`.trim(),
    ...headerLines(response.headers),
  ];
  return [
    cut(head.join("\n"), most),
    "",
    bodyText(content.text, content.encoding),
    ...(_trailers ? ["", cut(headerLines(_trailers).join("\n"), most)] : []),
    ...(_error === undefined ? [] : ["", `[broke off: ${_error}]`]),
  ].join("\n");
}

const headerLines = (headers: HarEntry["request"]["headers"]): string[] =>
  headers.map(({ name, value }) => `${name}: ${value}`);

const bodyText = (text: string, encoding: "base64" | undefined): string =>
  encoding === undefined ? cut(text, most) : `[in base64] ${cut(text, most)}`;
