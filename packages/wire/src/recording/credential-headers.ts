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

/** The same within raw bytes, here as text with one character per byte. */
export const maskCredentialLines = (latin1: string): string =>
  latin1.replace(lines, (_line, name: string, gap: string, value: string) => {
    const masked = Buffer.from(maskValue(name, fromBytes(value))).toString("latin1");
    return `${name}:${gap}${masked}`;
  });

const lines = new RegExp(`^(${names.join("|")}):([ \\t]*)([^\\r\\n]*)`, "gim");
const fromBytes = (latin1: string): string => Buffer.from(latin1, "latin1").toString("utf8");

/** Masks all but what helps to read the recording: the scheme, and which cookies there were. */
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

/** Names that say it: `X-Vendor-Token`, `Ocp-Apim-Subscription-Key`, `X-Session-Id`. */
const tells = /(?:^|[-_])(?:auth|key|pass|password|secret|session|signature|token|credentials?)(?:$|[-_])/i;

/**
 * What a header that we send holds of secrets: its value, the token behind a scheme, the password of a pair, each
 * cookie. Nothing for a header that is not known to hold any, unless the operator said that this one does (`isSecret`).
 */
export function secretsInHeader(header: string, value: string, isSecret = false): { name: string; value: string }[] {
  const name = header.toLowerCase();
  if (!isSecret && !names.includes(name) && !tells.test(name)) return [];
  const [, scheme = "", token] = /^([A-Za-z][\w-]*)[ \t]+(\S.*)$/s.exec(value) ?? [];
  const pair = /^basic$/i.test(scheme) ? Buffer.from(token ?? "", "base64").toString("utf8") : "";
  const crumbs = name === "cookie" ? value.split(";").map((cookie) => cookie.replace(/^[^=]*=/, "").trim()) : [];
  const values = [value, token ?? "", pair.slice(pair.indexOf(":") + 1), ...crumbs];
  return [...new Set(values)].filter(Boolean).map((each) => ({ name, value: each }));
}

/** A value that is a placeholder already names its secret better than the header could. */
const unlessMasked = (value: string, name: string): string =>
  value === "" || /^«secret:[^»]*»$/.test(value) ? value : placeholder(name);
