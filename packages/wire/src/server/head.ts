import type { ServerResponse } from "node:http";
import { WireError } from "./wire-error.ts";

/** Names and values in turn. */
export type HeaderList = string[];

const headerFaults = new Set(["ERR_INVALID_CHAR", "ERR_INVALID_HTTP_TOKEN", "ERR_HTTP_INVALID_HEADER_VALUE"]);

/**
 * Writes status line and headers, or nothing: a header that could split the response (CR, LF) or cannot be written
 * (other control characters, characters beyond Latin-1) is refused as a whole.
 */
export function writeHead(response: ServerResponse, status: number, headers: HeaderList): void {
  try {
    response.writeHead(status, headers);
  } catch (error) {
    // Node keeps the reason phrase of the head that failed; the next head would carry it.
    if (response.req.httpVersionMajor === 1) response.statusMessage = "";
    if (!isHeaderFault(error)) throw error;
    throw new WireError("invalid-header", `a response header cannot be written: ${error.message}`, { cause: error });
  }
}

/**
 * As a list, because adding a header to a copy of the object is the slow way: Node then walks an object whose keys V8
 * has not cached, which took a fifth of the time of a small answer.
 */
export function listHeaders(headers: Readonly<Record<string, string>>): HeaderList {
  const list: HeaderList = [];
  for (const name in headers) list.push(name, headers[name] ?? "");
  return list;
}

const isHeaderFault = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && headerFaults.has(String(error.code));
