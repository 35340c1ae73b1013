import { domainToASCII, domainToUnicode } from "node:url";

/**
 * Returns an address or a name for people to read. Letters of other alphabets can look like a familiar host, so such a
 * host is written in both forms: "https://аgent.example (xn--gent-43d.example)".
 */
export function addressText(text: string): string {
  const written = hostIn(text);
  if (written === undefined) return text;
  const ascii = domainToASCII(written) || written;
  if (!text.toLowerCase().includes(ascii)) return `${text} (${ascii})`;
  const letters = domainToUnicode(ascii);
  return letters === ascii ? text : `${text} (${letters})`;
}

/** Returns the host of an address. A text with a dot and without blanks may itself be a host. */
function hostIn(text: string): string | undefined {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return URL.canParse(text) ? new URL(text).hostname : undefined;
  return /^[^\s/:@]+\.[^\s/:@]+$/u.test(text) ? text : undefined;
}
