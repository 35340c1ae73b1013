import { isBase64 } from "./formats.ts";

/** Converts URL-safe or unpadded base64 to the standard padded form. Returns undefined if the text is not base64. */
export function standardBase64(text: string): string | undefined {
  const bare = text
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/={1,2}$/, "");
  const padded = toFours(bare);
  return bare.length % 4 !== 1 && isBase64(padded) ? padded : undefined;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Encodes the UTF-8 bytes of a text as base64. This package has neither Buffer nor btoa. */
export function base64Of(text: string): string {
  const bytes = utf8Of(text);
  let result = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const group = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const digits = Math.min(4, bytes.length - i + 1);
    for (let digit = 0; digit < digits; digit++) result += alphabet[(group >> (18 - 6 * digit)) & 63];
  }
  return toFours(result);
}

function utf8Of(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  }
  return bytes;
}

const toFours = (digits: string): string => digits.padEnd(Math.ceil(digits.length / 4) * 4, "=");
