import { placeholder } from "./credential-headers.ts";

/** Names of query parameters that hold a credential. `pageToken` and similar names do not. */
const parameters = [
  "access_token",
  "api[-_]?key",
  "apikey",
  "auth",
  "auth[-_]?token",
  "authorization",
  "client_secret",
  "code",
  "id_token",
  "jwt",
  "key",
  "pass(?:word|wd)?",
  "pwd",
  "refresh_token",
  "secret",
  "session(?:_?id)?",
  "sig(?:nature)?",
  "subscription-key",
  "token",
  "x-(?:api-key|amz-signature|amz-security-token|amz-credential|goog-signature|goog-credential)",
].join("|");

/** Lengths are bounded because the text may be megabytes from a hostile agent. */
const userInfo = /(?<=[a-z+.-])(:\/\/[^/?#@:\s]{0,200}:)([^/?#@\s]{1,1000})@/gi;
const query = new RegExp(`([?&](${parameters})=)([^&#\\s"'<>\\\\«]+)`, "gi");

/**
 * Masks the password in `https://user:password@host` and the token in `?token=…`, even if they were not registered.
 * `write` encodes the placeholder if the text is really bytes.
 */
export function maskAddresses(text: string, write: (placeholder: string) => string = (mask) => mask): string {
  if (!text.includes("://") && !/[?&]/.test(text)) return text;
  const isMasked = (value: string): boolean => value.includes("secret:");
  return text
    .replace(userInfo, (whole, before: string, password: string) =>
      isMasked(password) ? whole : `${before}${write(placeholder("password"))}@`,
    )
    .replace(query, (whole, before: string, name: string, value: string) =>
      isMasked(value) ? whole : `${before}${write(placeholder(name.toLowerCase()))}`,
    );
}

/** Returns the secrets in an address from the operator, to mask them everywhere. */
export function secretsInAddress(address: string): { readonly name: string; readonly value: string }[] {
  if (!URL.canParse(address)) return [];
  const { password, searchParams } = new URL(address);
  const isCredential = new RegExp(`^(?:${parameters})$`, "i");
  return [
    ...(password ? [{ name: "password", value: decoded(password) }] : []),
    ...[...searchParams].flatMap(([name, value]) =>
      isCredential.test(name) ? [{ name: name.toLowerCase(), value }] : [],
    ),
  ];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
