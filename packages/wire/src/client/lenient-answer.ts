import type { HttpResponse } from "../recording/exchange.ts";
import { type Head, headerOf, parseHead } from "./http-head.ts";

/** A response, as far as it is readable by a lenient parser. */
interface LenientAnswer {
  readonly response: HttpResponse;
  /** The whole response has arrived. Without a length, only the end of the connection shows that. */
  readonly complete: boolean;
}

export function readLeniently(bytes: Uint8Array, method: string, closed: boolean): LenientAnswer | undefined {
  const head = parseHead(bytes);
  if (!head) return undefined;
  const { status, statusText } = statusOf(head) ?? {};
  if (status === undefined || statusText === undefined) return undefined;
  // Interim responses precede the final one.
  if (status < 200 && status !== 101) return readLeniently(bytes.subarray(head.length), method, closed);

  const { body, complete } = readBody(bytes.subarray(head.length), head, status, method, closed);
  const response = { status, statusText, headers: head.headers, trailers: [], body, bodyTruncated: !complete };
  return { response, complete };
}

/** Returns the body of a fully received request. Without a length or chunked coding there is none. */
export function readRequestBody(bytes: Uint8Array): Uint8Array {
  const head = parseHead(bytes);
  if (!head) return new Uint8Array();
  const rest = bytes.subarray(head.length);
  if (/chunked/i.test(headerOf(head.headers, "transfer-encoding") ?? "")) return joinChunks(rest).body;
  return rest.subarray(0, Number(headerOf(head.headers, "content-length") ?? 0) || 0);
}

function statusOf({ startLine }: Head): { status: number; statusText: string } | undefined {
  const [, status, statusText = ""] = /^HTTP\/\S+\s+(\d{3})\s*(.*)$/.exec(startLine) ?? [];
  return status === undefined ? undefined : { status: Number(status), statusText };
}

type Body = Pick<LenientAnswer, "complete"> & { readonly body: Uint8Array };

function readBody(rest: Uint8Array, head: Head, status: number, method: string, closed: boolean): Body {
  if (method === "HEAD" || status === 204 || status === 304) return { body: new Uint8Array(), complete: true };
  if (/chunked/i.test(headerOf(head.headers, "transfer-encoding") ?? "")) return joinChunks(rest);
  const length = Number(headerOf(head.headers, "content-length") ?? Number.NaN);
  if (Number.isNaN(length)) return { body: rest, complete: closed };
  return { body: rest.subarray(0, length), complete: rest.length >= length };
}

/** Removes the chunk framing (RFC 9112 §7.1), up to the first invalid place. */
function joinChunks(bytes: Uint8Array): Body {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const sizeLine = /([0-9a-f]+)[^\r\n]*\r?\n/iy;
  const chunks: Uint8Array[] = [];
  for (let at = 0; ; ) {
    sizeLine.lastIndex = at;
    const size = Number.parseInt(sizeLine.exec(text)?.[1] ?? "", 16);
    const start = sizeLine.lastIndex;
    if (size === 0)
      return { body: Buffer.concat(chunks), complete: /^(?:[^\r\n]+\r?\n)*\r?\n/.test(text.slice(start)) };
    const isWhole = size > 0 && start + size < text.length;
    if (Number.isNaN(size) || !isWhole) {
      if (size > 0) chunks.push(bytes.subarray(start));
      return { body: Buffer.concat(chunks), complete: false };
    }
    chunks.push(bytes.subarray(start, start + size));
    at = start + size + (/^\r?\n/.exec(text.slice(start + size, start + size + 2))?.[0].length ?? 0);
  }
}
