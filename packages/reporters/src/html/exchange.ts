import type { AnswerPlace, HarEntry } from "@assay/suite/report";
import { cut } from "@assay/suite/text";
import { h, preformatted, type SafeHtml } from "../safe-html.ts";
import { jsonView } from "./json-view.ts";
import { timelineOf } from "./timeline.ts";

/** Characters of a head or a body that are shown. */
const most = 4096;

/** Where to look in an exchange. */
export interface MarkedPlaces {
  /** in the JSON of the request, as in `$.params.message` */
  readonly request?: string | undefined;
  readonly answer?: AnswerPlace | undefined;
}

/** What was sent and what came back, side by side, the wrong place marked; a stream along the time that it took. */
export function exchangeSides(entry: HarEntry, { request, answer }: MarkedPlaces): SafeHtml {
  const stream = timelineOf(entry, answer);
  return h`<div class="sides">
<div><h5>request</h5><pre tabindex="0">${requestText(entry, request)}</pre></div>
<div><h5>answer</h5><pre tabindex="0">${answerText(entry, stream ? undefined : bodyOf(entry, answer))}</pre></div>
</div>
${stream}`;
}

function requestText({ request }: HarEntry, path: string | undefined): SafeHtml {
  const { postData } = request;
  const head = [`${request.method} ${request.url} ${request.httpVersion}`, ...headerLines(request.headers)];
  return h`${preformatted(cut(head.join("\n"), most))}${postData && h`\n\n${bodyText(postData.text, postData._encoding, path)}`}`;
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
