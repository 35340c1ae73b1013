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

/** A value that is a placeholder already names its secret better than the header could. */
const unlessMasked = (value: string, name: string): string =>
  value === "" || /^«secret:[^»]*»$/.test(value) ? value : placeholder(name);
