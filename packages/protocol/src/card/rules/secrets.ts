import { finding } from "../finding.ts";
import { stringsIn } from "../strings.ts";
import { parseUrl } from "../url.ts";
import type { CardRule } from "./rule.ts";

/**
 * Patterns of credentials. Each starts at the start of a run of its own characters, or looks ahead a limited distance.
 * So a long hostile string costs one pass, not one pass per letter.
 */
const patterns: readonly [what: string, pattern: RegExp][] = [
  ["a private key", /-----BEGIN (?:[A-Z]+ ){0,3}PRIVATE KEY-----/],
  ["a JSON Web Token", /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/],
  ["a bearer token", /\bBearer (?=\S{0,200}\d)[\w.~+/-]{20,}/i],
  ["an AWS access key", /(?<!\w)A(?:KI|SI)A[A-Z\d]{16}(?!\w)/],
  ["a GitHub token", /(?<!\w)(?:gh[opsru]_|github_pat_)\w{30,}/],
  ["a Google API key", /(?<![\w-])AIza[\w-]{35}/],
  ["a Slack token", /(?<![\w-])xox[abeprs]-[\w-]{10,}/],
  ["a secret key", /(?<![\w-])(?:sk|rk)[-_](?=[\w-]*\d)[\w-]{20,}/],
  ["an API key in a query", /\b(?:api_?key|access_token|client_secret)=(?=\S{0,200}\d)[^\s&]{12,}/i],
];

/** Returns the first part of a text that looks like a credential, and its kind. */
export function credentialIn(text: string): { readonly what: string; readonly value: string } | undefined {
  for (const [what, pattern] of patterns) {
    const [value] = pattern.exec(text) ?? [];
    if (value !== undefined) return { what, value };
  }
  return undefined;
}

/** Finds credentials in the public card. The message names their kind and place and never repeats the secret. */
export const secrets: CardRule = function* ({ served }) {
  for (const [text, path] of stringsIn(served)) {
    const what = credentialIn(text)?.what ?? (hasPassword(text) && "a password in a URL");
    if (!what) continue;
    yield finding("warning", "secret", path, {
      message: `looks like it contains ${what}; a public card must not contain credentials`,
      fix: "Remove and revoke the credential. Publish details for authenticated callers in the extended card.",
      rule: "CARD-039",
    });
  }
};

const hasPassword = (text: string): boolean => parseUrl(text)?.userinfo?.includes(":") === true;
