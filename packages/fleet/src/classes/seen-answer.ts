import type { ExchangeRecorded } from "@assay/suite/report";
import type { Exchange, FailureCode } from "@assay/wire";

/** The part of one response that decides the class. The agent, or a server in its place, sent it. */
export interface SeenAnswer {
  readonly method: string;
  readonly url: string;
  /** absent if there was no response */
  readonly status?: number;
  /** the failure, if there was no complete response */
  readonly failure?: FailureCode;
  readonly mediaType: string;
  /** the beginning of the body */
  readonly start: string;
  readonly headers: readonly (readonly [string, string])[];
}

/** Enough characters to recognise a page or to read a JSON-RPC error. */
const startLength = 2_000;

/** Reads the response of an exchange recorded in a run. */
export function answerIn({ entry: { request, response } }: Pick<ExchangeRecorded, "entry">): SeenAnswer {
  const { content, headers, status, _error } = response;
  const failure = _error?.split(":", 1)[0] as FailureCode | undefined;
  return {
    method: request.method,
    url: request.url,
    ...(status > 0 && { status }),
    ...(failure && { failure }),
    mediaType: content.mimeType,
    start: content.encoding ? "" : content.text.slice(0, startLength),
    headers: [...headers, ...(response._trailers ?? [])].map(({ name, value }) => [name, value] as const),
  };
}

/** Reads the response of an exchange of the HTTP client. */
export function answerOf({ http: { request, response }, failure }: Exchange): SeenAnswer {
  const headers = response?.headers ?? [];
  return {
    method: request.method,
    url: request.url,
    ...(response && { status: response.status }),
    ...(failure && { failure: failure.code }),
    mediaType: headerIn(headers, "content-type") ?? "",
    start: Buffer.from(response?.body.subarray(0, startLength) ?? []).toString("utf8"),
    headers,
  };
}

export const headerIn = (headers: SeenAnswer["headers"], name: string): string | undefined =>
  headers.find(([each]) => each.toLowerCase() === name)?.[1];

/** Returns true for an HTML page, by its media type or by its first characters. */
export function isPage({ mediaType, start }: SeenAnswer): boolean {
  const beginning = start.trimStart().slice(0, 20).toLowerCase();
  return /^text\/html\b/i.test(mediaType) || beginning.startsWith("<!doctype html") || beginning.startsWith("<html");
}

/** Formats the request and its response as one line of evidence. */
export function answerLine({ method, url, status, failure, mediaType, start }: SeenAnswer): string {
  const came = status === undefined ? "" : `HTTP ${status}${mediaType && ` ${mediaType}`}`;
  const said = start.replace(/\s+/g, " ").trim().slice(0, 200);
  return [`${method} ${url}:`, came, failure, said && JSON.stringify(said)].filter(Boolean).join(" ").slice(0, 600);
}
