/** A character sequence that reveals a secret. */
export interface Needle {
  readonly text: string;
  /** the index of the secret */
  readonly secret: number;
  /** maximum letters at its edges that it shares with its neighbours, and padding; they are masked with it */
  readonly shared: number;
  /** the shortest prefix that is not a coincidence, for texts that were cut off */
  readonly shortest: number;
}

/** Needles to search case-insensitively, or exactly. */
export interface Needles {
  readonly anyCase: readonly Needle[];
  readonly exact: readonly Needle[];
}

/** Shorter values cannot be distinguished from ordinary text: masking every "a" would make it unreadable. */
const shortestMaskable = 4;
/** Minimum length for case-insensitive search; shorter values would match inside ordinary words. */
const shortestInAnyCase = 8;
const shortestCore = 6;
/** A shared letter and the padding after it, both encoded. */
const padding = 6;

/**
 * Returns a secret as plain text, Base64 and hexadecimal, and each of those encoded once more. Escapes (percent, JSON,
 * HTML) need no needles, because the text is also searched unescaped (`unescaped.ts`). Text and bytes are searched
 * alike, so non-ASCII characters are included as characters and as UTF-8 bytes.
 */
export function needlesOf(value: string, secret: number): Needles {
  if (value.length < shortestMaskable) return { anyCase: [], exact: [] };
  const needle = (text: string, shared: number, shortest: number): Needle => ({ text, secret, shared, shortest });
  // Bytes have no case.
  const cases = value.length < shortestInAnyCase ? [value] : [value, value.toLowerCase(), value.toUpperCase()];
  const texts = [value, value.replaceAll(" ", "+"), ...lossy(value), ...cases.map(asBytes)];
  const plain = [...new Set(texts)].map((text) => needle(text, 0, shortestMaskable));
  const once = base64Cores(Buffer.from(value));
  const onceEither = once.flatMap((core) => [core, urlSafe(core)]);
  const written = [encodeURIComponent(value), JSON.stringify(value).slice(1, -1)].filter((text) => text !== value);
  const twice = [...written, hex(value), hex(value).toUpperCase(), ...onceEither];
  const base64 = [
    ...once.map((core) => needle(core, 1, shortestCore)),
    ...twice.flatMap((text) => base64Cores(Buffer.from(text))).map((core) => needle(core, padding, shortestCore)),
  ];
  const hexadecimal = [
    ...[value, ...written].map((text) => needle(hex(text), 0, 2 * shortestMaskable)),
    ...onceEither.map((text) => needle(hex(text), padding, 2 * shortestMaskable)),
  ];
  const all = [...plain, ...base64, ...hexadecimal];
  const isDistinct = ({ text }: Needle): boolean => text.length >= shortestInAnyCase;
  return { anyCase: all.filter(isDistinct), exact: all.filter((each) => !isDistinct(each)) };
}

/** Wrongly decoded bytes show non-ASCII letters as replacement characters or question marks. */
const lossy = (value: string): string[] =>
  ["\ufffd", "?"].map((sign) => value.replace(/[^\x00-\x7f]/gu, sign)).filter((text) => text !== value);

/** Returns the UTF-8 bytes of a text, one character each. */
export const asBytes = (text: string): string => Buffer.from(text).toString("latin1");

const hex = (text: string): string => Buffer.from(text).toString("hex");

const urlSafe = (base64: string): string => base64.replaceAll("+", "-").replaceAll("/", "_");

/**
 * Base64 packs three bytes into four characters, so a secret looks different at each of three offsets inside a longer
 * text (`user:secret`). At every offset some characters depend only on the secret.
 */
function base64Cores(secret: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), secret])
      .toString("base64")
      .replace(/=+$/, "");
    const sharedHead = Math.ceil((offset * 4) / 3);
    const sharedTail = (offset + secret.length) % 3 === 0 ? 0 : 1;
    const core = encoded.slice(sharedHead, encoded.length - sharedTail);
    return core.length < shortestCore ? [] : [core];
  });
}
