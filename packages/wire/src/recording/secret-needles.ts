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

/**
 * A secret as it is, in Base64 and in hexadecimal, and once more encoded by each of them. Escapes (percent, JSON, HTML)
 * are no needles: the text that is searched is also read without them (`unescaped.ts`). Text and bytes are searched
 * alike, so what is not ASCII is looked for as characters and as the bytes of UTF-8.
 */
export function needlesOf(value: string, secret: number): Needles {
  if (value.length < shortestMaskable) return { anyCase: [], exact: [] };
  const plain = [value, asBytes(value), value.replaceAll(" ", "+")].map(
    (text): Needle => ({ text, secret, shared: 0, shortest: shortestMaskable }),
  );
  const once = base64Cores(Buffer.from(value));
  const written = [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), hex(value)];
  const again = [
    ...written.slice(1).filter((text) => text !== value),
    hex(value).toUpperCase(),
    ...once.flatMap((core) => [core, urlSafe(core)]),
  ];
  const base64 = (core: string, shared: number): Needle => ({ text: core, secret, shared, shortest: shortestCore });
  const hexadecimal = (text: string, shared: number): Needle => ({
    text: hex(text),
    secret,
    shared,
    shortest: 2 * shortestMaskable,
  });
  const isLong = value.length >= shortestInAnyCase;
  return {
    anyCase: [
      ...(isLong ? plain : []),
      ...[...new Set(written.slice(0, 3))].map((text) => hexadecimal(text, 0)),
      ...once.flatMap((core) => [core, urlSafe(core)]).map((text) => hexadecimal(text, 6)),
    ],
    exact: [
      ...(isLong ? [] : plain),
      ...once.map((core) => base64(core, 1)),
      ...[...new Set(again.flatMap((text) => base64Cores(Buffer.from(text))))].map((core) => base64(core, 6)),
    ],
  };
}

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
