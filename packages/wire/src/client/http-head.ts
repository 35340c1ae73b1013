import type { HeaderPairs } from "../recording/exchange.ts";

export interface Head {
  readonly startLine: string;
  readonly headers: HeaderPairs;
  /** The offset of the body. */
  readonly length: number;
}

/**
 * Parses a start line and headers as leniently as possible: bare LF, invalid names, and lines without a colon (kept
 * with an empty value). Returns undefined while the head is incomplete.
 */
export function parseHead(bytes: Uint8Array): Head | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  const end = /\r?\n\r?\n/.exec(text);
  if (!end) return undefined;
  const [startLine = "", ...lines] = text.slice(0, end.index).split(/\r?\n/);
  return { startLine, headers: lines.map(parseField), length: end.index + end[0].length };
}

function parseField(line: string): [string, string] {
  const colon = line.indexOf(":");
  return colon === -1 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).trim()];
}

/** Returns the first value of a header, ignoring case. */
export const headerOf = (headers: HeaderPairs, name: string): string | undefined =>
  headers.find(([key]) => key.toLowerCase() === name)?.[1];

/** Converts Node's flat list of names and values to pairs. */
export function pairsOf(raw: readonly string[]): HeaderPairs {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at]!, raw[at + 1]!]);
  return pairs;
}
