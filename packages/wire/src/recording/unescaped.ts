import type { Units } from "./needle-search.ts";

/** A text without escapes, with the offset of each character in the original, plus one final offset. */
export interface Unescaped {
  readonly units: Units;
  readonly starts: Int32Array;
}

const [percent, backslash, ampersand, semicolon, ellipsis] = [0x25, 0x5c, 0x26, 0x3b, 0x2026];

/** Meanings of `\n` and similar escapes; any other character after a backslash means itself. */
const named: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", "0": "\0" };
const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
/** `&#x10ffff;` is the longest supported entity */
const longestEntity = 10;

/**
 * Decodes one layer of percent encoding (`%41`), JSON-like escapes (`\u0041`, `\x41`, `\"`) and HTML entities (`&#65;`,
 * `&quot;`) in one pass. Returns undefined if there are none.
 */
export function unescaped(units: Units, starts?: Int32Array): Unescaped | undefined {
  if (!units.includes(percent) && !units.includes(backslash) && !units.includes(ampersand)) return undefined;
  const out = new Uint16Array(units.length);
  const places = new Int32Array(units.length + 1);
  let length = 0;
  for (let at = 0; at < units.length; ) {
    const here = characterAt(units, at);
    places[length] = starts ? starts[at]! : at;
    if (here.unit !== undefined) out[length++] = here.unit;
    at += here.length;
  }
  if (length === units.length) return undefined;
  places[length] = starts ? starts[units.length]! : units.length;
  return { units: out.subarray(0, length), starts: places.subarray(0, length + 1) };
}

/** A character and its written length. An escape that was cut off has no character and belongs to the one before. */
interface Character {
  readonly unit?: number;
  readonly length: number;
}

function characterAt(units: Units, at: number): Character {
  const unit = units[at]!;
  if (unit === percent) return digits(units, at, 1, 2);
  if (unit === backslash) return slashed(units, at);
  return unit === ampersand ? entity(units, at) : { unit, length: 1 };
}

function slashed(units: Units, at: number): Character {
  const next = units[at + 1];
  if (next === undefined || next === ellipsis) return { length: 1 };
  const letter = String.fromCharCode(next);
  if (letter === "u") return digits(units, at, 2, 4);
  if (letter === "x") return digits(units, at, 2, 2);
  return { unit: (named[letter] ?? letter).charCodeAt(0), length: 2 };
}

/** Reads `count` hexadecimal digits after their prefix; without them, the prefix is an ordinary character. */
function digits(units: Units, at: number, skip: number, count: number): Character {
  let value = 0;
  for (let index = at + skip; index < at + skip + count; index++) {
    const digit = units[index];
    if (digit === undefined || digit === ellipsis) return { length: index - at };
    const worth = digitValue(digit);
    if (worth < 0) return { unit: units[at]!, length: 1 };
    value = value * 16 + worth;
  }
  return { unit: value, length: skip + count };
}

function digitValue(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function entity(units: Units, at: number): Character {
  const most = units.subarray(at + 1, at + longestEntity);
  const end = most.indexOf(semicolon);
  const name = end < 0 ? "" : String.fromCharCode(...most.subarray(0, end));
  const [, hexadecimal, decimal] = /^#(?:x([0-9a-f]+)|(\d+))$/i.exec(name) ?? [];
  const code = hexadecimal ? Number.parseInt(hexadecimal, 16) : decimal ? Number(decimal) : undefined;
  const unit = code ?? entities[name]?.charCodeAt(0);
  return unit === undefined ? { unit: units[at]!, length: 1 } : { unit, length: end + 2 };
}
