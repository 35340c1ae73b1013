/** A secret in every form in which it may turn up. */
interface SecretForms {
  /** Finds it wherever it stands. */
  readonly pattern: RegExp;
  /** What is left of it where a text was cut off in the middle; longest first. */
  readonly beginnings: readonly string[];
}

/** Shorter values cannot be told from ordinary text: masking every "a" would leave nothing to read. */
const shortestMaskable = 4;
const shortestCore = 6;

/**
 * As it is, percent-encoded, as a JSON string, and in Base64, alone or as part of something longer. The patterns serve
 * for text and for bytes alike, bytes being read as Latin-1.
 */
export function formsOf(value: string): SecretForms | undefined {
  if (value.length < shortestMaskable) return undefined;
  const percent = encodeURIComponent(value);
  const json = JSON.stringify(value).slice(1, -1);
  const plain = [
    value,
    percent,
    percent.replaceAll("%20", "+"),
    percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    json,
    json.replaceAll("/", "\\/"),
    json.replace(/[^\x00-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`),
  ];
  // Longest first, because alternatives are tried in order and a shorter one may begin a longer.
  const texts = [...new Set(plain.flatMap((form) => [form, asBytes(form)]))].sort((a, b) => b.length - a.length);
  const alone = Buffer.from(value).toString("base64");
  const beginnings = [...texts, alone].flatMap((form) =>
    Array.from({ length: form.length - shortestMaskable }, (_, index) => form.slice(0, shortestMaskable + index)),
  );
  return {
    pattern: new RegExp([...texts.map(literal), ...base64Patterns(Buffer.from(value))].join("|"), "g"),
    beginnings: beginnings.sort((a, b) => b.length - a.length),
  };
}

/** A text as its UTF-8 bytes, one character each. */
export const asBytes = (text: string): string => Buffer.from(text).toString("latin1");

/**
 * Base64 packs three bytes into four characters, so the same secret looks different at each of the three offsets within
 * a longer text (`user:secret`). At every offset some characters depend on the secret alone; those are looked for, and
 * the ones at its edges, which it shares with its neighbours, go with them.
 */
function base64Patterns(secret: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), secret])
      .toString("base64")
      .replace(/=+$/, "");
    const sharedHead = Math.ceil((offset * 4) / 3);
    const sharedTail = (offset + secret.length) % 3 === 0 ? 0 : 1;
    const core = encoded.slice(sharedHead, encoded.length - sharedTail);
    if (core.length < shortestCore) return [];
    const before = sharedHead > 0 ? `${letter}?` : "";
    const behind = sharedTail > 0 ? `${letter}?={0,2}` : "";
    return [core, core.replaceAll("+", "-").replaceAll("/", "_")].map((form) => `${before}${literal(form)}${behind}`);
  });
}

const letter = "[A-Za-z0-9+/_-]";
const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
