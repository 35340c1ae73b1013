import type { ServerResponse } from "node:http";
import { WireError } from "./wire-error.ts";

/** Alternating names and values. */
export type HeaderList = string[];

const headerFaults = new Set(["ERR_INVALID_CHAR", "ERR_INVALID_HTTP_TOKEN", "ERR_HTTP_INVALID_HEADER_VALUE"]);

/**
 * Writes the status line and headers, or nothing: a header that could split the response (CR, LF) or cannot be written
 * (other control characters, characters beyond Latin-1) makes it throw.
 */
export function writeHead(response: ServerResponse, status: number, headers: HeaderList): void {
  try {
    response.writeHead(status, headers);
  } catch (error) {
    // Node keeps the reason phrase of the failed head and would use it in the next one.
    if (response.req.httpVersionMajor === 1) response.statusMessage = "";
    if (!isHeaderFault(error)) throw error;
    throw new WireError("invalid-header", `a response header cannot be written: ${error.message}`, { cause: error });
  }
}

/**
 * Returns headers as a list, because adding a header to a copied object is slow. Node then walks an object whose keys
 * V8 has not cached, which took a fifth of the time of a small response.
 */
export function listHeaders(headers: Readonly<Record<string, string>>): HeaderList {
  const list: HeaderList = [];
  for (const name in headers) list.push(name, headers[name] ?? "");
  return list;
}

const isHeaderFault = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && headerFaults.has(String(error.code));
