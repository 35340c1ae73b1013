import type { HeaderPairs } from "./exchange.ts";

/** Headers that hold a credential, registered or not. */
const wholly = [
  "api-key",
  "x-a2a-notification-token",
  "x-access-token",
  "x-amz-security-token",
  "x-api-key",
  "x-auth-token",
  "x-goog-api-key",
];
const withScheme = ["authorization", "proxy-authorization"];
const cookies = ["cookie", "set-cookie"];
const names = [...wholly, ...withScheme, ...cookies];

export const placeholder = (name: string): string => `«secret:${name}»`;

export const maskCredentialHeaders = (headers: HeaderPairs): HeaderPairs =>
  headers.map(([name, value]) => [name, maskValue(name, value)]);

/** The same inside raw bytes, given as text with one character per byte. */
export const maskCredentialLines = (latin1: string): string =>
  latin1.replace(lines, (_line, name: string, gap: string, value: string) => {
    const masked = Buffer.from(maskValue(name, fromBytes(value))).toString("latin1");
    return `${name}:${gap}${masked}`;
  });

const lines = new RegExp(`^(${names.join("|")}):([ \\t]*)([^\\r\\n]*)`, "gim");
const fromBytes = (latin1: string): string => Buffer.from(latin1, "latin1").toString("utf8");

/** Masks everything except what helps to read the recording: the scheme, and the cookie names. */
function maskValue(name: string, value: string): string {
  const key = name.toLowerCase();
  if (withScheme.includes(key)) {
    const [, scheme = "", credential = ""] = /^([A-Za-z][\w-]*[ \t]+)?(.*)$/s.exec(value) ?? [];
    return `${scheme}${unlessMasked(credential, key)}`;
  }
  if (key === "cookie") return value.split(";").map(maskCookie).join(";");
  if (key === "set-cookie") return value.replace(/^[^;]*/, maskCookie);
  return wholly.includes(key) ? unlessMasked(value, key) : value;
}

const maskCookie = (cookie: string): string =>
  cookie.replace(
    /^([^=]*=)?(.*)$/s,
    (_cookie, name: string = "", value: string) => name + unlessMasked(value, "cookie"),
  );

/** Names that indicate a credential: `X-Vendor-Token`, `Ocp-Apim-Subscription-Key`, `X-Session-Id`. */
const tells = /(?:^|[-_])(?:auth|key|pass|password|secret|session|signature|token|credentials?)(?:$|[-_])/i;

/** Addresses without credentials and query. */
const extensions = /^https?:\/\/[\w.:-]+(?:\/[\w./~-]*)?(?:, ?https?:\/\/[\w.:-]+(?:\/[\w./~-]*)?)*$/i;

/**
 * Values that harmless headers may have. Other values may be secrets, because an operator can put a key into any
 * header.
 */
const plain: Readonly<Record<string, RegExp>> = {
  accept: /^[a-z*]+\/[a-z\d*.+-]{1,60}(?:; ?q=[\d.]+)?(?:, ?[a-z*]+\/[a-z\d*.+-]{1,60}(?:; ?q=[\d.]+)?)*$/i,
  "accept-encoding": /^(?:gzip|deflate|br|zstd|identity|\*)(?:, ?(?:gzip|deflate|br|zstd|identity|\*))*$/i,
  "accept-language":
    /^[a-z*]{1,3}(?:-[a-z\d]{2,4})?(?:; ?q=[\d.]+)?(?:, ?[a-z*]{1,3}(?:-[a-z\d]{2,4})?(?:; ?q=[\d.]+)?)*$/i,
  "a2a-extensions": extensions,
  "x-a2a-extensions": extensions,
  "user-agent": /^[\w.-]{1,40}\/\d[\d.]{0,15}$/,
  "a2a-version": /^\d{1,3}(?:\.\d{1,3}){0,2}$/,
  "cache-control": /^(?:no-cache|no-store|no-transform|only-if-cached|max-age=\d+)$/i,
  "content-type": /^[a-z]+\/[a-z\d.+-]{1,60}(?:; ?charset=[a-z\d-]+)?$/i,
};

/** Returns true if a header from the operator is harmless in name and content. */
const isPlain = (name: string, value: string): boolean => plain[name]?.test(value) ?? false;

/** Words before a credential, in any header. */
const schemes = /^(?:api-?key|basic|bearer|digest|negotiate|token)$/i;

type SecretInHeader = { readonly name: string; readonly value: string };

/** Returns the secrets in a header from the operator: the whole value, unless it is known to be harmless. */
export const secretsInGivenHeader = (header: string, value: string): SecretInHeader[] =>
  secretsInHeader(header, value, !isPlain(header.toLowerCase(), value));

/**
 * Returns the secrets in a header that we send: its value, the token after a scheme, the password of a pair, each
 * cookie. Returns nothing for other headers, unless the operator marked this one as secret (`isSecret`).
 */
export function secretsInHeader(header: string, value: string, isSecret = false): SecretInHeader[] {
  const name = header.toLowerCase();
  const isKnown = names.includes(name) || tells.test(name);
  if (!isSecret && !isKnown) return [];
  const [, word = "", behind] = /^([A-Za-z][\w-]*)[ \t]+(\S.*)$/s.exec(value) ?? [];
  const [scheme, token] = isKnown || schemes.test(word) ? [word, behind] : [""];
  const pair = /^basic$/i.test(scheme) ? Buffer.from(token ?? "", "base64").toString("utf8") : "";
  const crumbs = name === "cookie" ? value.split(";").map((cookie) => cookie.replace(/^[^=]*=/, "").trim()) : [];
  const values = [value, token ?? "", pair.slice(pair.indexOf(":") + 1), ...crumbs];
  return [...new Set(values)].filter(Boolean).map((each) => ({ name, value: each }));
}

/** An existing placeholder names its secret better than the header could. */
const unlessMasked = (value: string, name: string): string =>
  value === "" || /^«secret:[^»]*»$/.test(value) ? value : placeholder(name);
