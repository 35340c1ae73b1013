import { isObject, type JsonValue } from "../../json.ts";
import { parseUrl } from "../url.ts";
import type { CardRule } from "./rule.ts";

/**
 * What credentials look like. Each pattern begins where a run of its own characters begins, or looks only so far
 * ahead, so a long hostile string costs one pass and not one per letter.
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

/** Credentials published to everybody. The message names the kind and the place and never repeats the secret. */
export const secrets: CardRule = function* ({ served }) {
  for (const [text, path] of strings(served, "$")) {
    const what =
      patterns.find(([, pattern]) => pattern.test(text))?.[0] ?? (hasPassword(text) && "a password in a URL");
    if (!what) continue;
    yield {
      level: "warning",
      code: "secret",
      path,
      message: `holds what looks like ${what}; a public card should hold no credentials`,
      fix: "Take it out, revoke it, and publish details for known callers in the extended card.",
      rule: "CARD-039",
    };
  }
};

const hasPassword = (text: string): boolean => parseUrl(text)?.userinfo?.includes(":") === true;

/** Every string of the card but its signatures, which are base64url by design. The depth is bounded by the reader. */
function* strings(json: JsonValue | undefined, path: string): Generator<[text: string, path: string]> {
  if (typeof json === "string") yield [json, path];
  else if (Array.isArray(json)) {
    for (const [index, element] of json.entries()) yield* strings(element, `${path}[${index}]`);
  } else if (isObject(json)) {
    for (const [name, member] of Object.entries(json)) {
      if (path !== "$" || name !== "signatures") yield* strings(member as JsonValue, `${path}.${name}`);
    }
  }
}
