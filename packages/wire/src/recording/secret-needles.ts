/** A sequence of characters that gives a secret away. */
export interface Needle {
  readonly text: string;
  /** whose it is: the index of the secret */
  readonly secret: number;
  /** letters of a code at its edges that it shares with its neighbours, at the most, and padding: they go with it */
  readonly shared: number;
  /** the shortest beginning of it that is no accident, where a text was cut off */
  readonly shortest: number;
}

/** What is looked for: in upper and lower case alike, or exactly as it is written. */
export interface Needles {
  readonly anyCase: readonly Needle[];
  readonly exact: readonly Needle[];
}

/** Shorter values cannot be told from ordinary text: masking every "a" would leave nothing to read. */
const shortestMaskable = 4;
/** Words of so many letters are found in either case; shorter ones would be found within ordinary words. */
const shortestInAnyCase = 8;
const shortestCore = 6;
/** A letter that is shared, and what fills up the code behind it, coded themselves. */
const padding = 6;

/**
 * A secret as it is, in Base64 and in hexadecimal, and once more encoded by each of them. Escapes (percent, JSON, HTML)
 * are no needles: the text that is searched is also read without them (`unescaped.ts`). Text and bytes are searched
 * alike, so what is not ASCII is looked for as characters and as the bytes of UTF-8.
 */
export function needlesOf(value: string, secret: number): Needles {
  if (value.length < shortestMaskable) return { anyCase: [], exact: [] };
  const needle = (text: string, shared: number, shortest: number): Needle => ({ text, secret, shared, shortest });
  // Bytes have no case of their own.
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

/** Where bytes were read by the wrong code, a letter that is not ASCII is a replacement character, or a question mark. */
const lossy = (value: string): string[] =>
  ["\ufffd", "?"].map((sign) => value.replace(/[^\x00-\x7f]/gu, sign)).filter((text) => text !== value);

/** A text as its UTF-8 bytes, one character each. */
export const asBytes = (text: string): string => Buffer.from(text).toString("latin1");

const hex = (text: string): string => Buffer.from(text).toString("hex");

const urlSafe = (base64: string): string => base64.replaceAll("+", "-").replaceAll("/", "_");

/**
 * Base64 packs three bytes into four characters, so the same secret looks different at each of the three offsets within
 * a longer text (`user:secret`). At every offset some characters depend on the secret alone.
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
