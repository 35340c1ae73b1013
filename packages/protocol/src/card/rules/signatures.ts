import { isObject } from "../../json.ts";
import { isLoopback } from "../../loopback.ts";
import { type CardFinding, quote } from "../finding.ts";
import { readSignatureEntry } from "../protected-header.ts";
import { parseUrl } from "../url.ts";
import type { CardRule } from "./rule.ts";

/** Checks whether each signature is readable. Verifying it takes a key and verifyCard. */
export const signatures: CardRule = function* ({ served }) {
  const list = served["signatures"];
  if (!Array.isArray(list)) return;
  for (const [index, signature] of list.entries()) {
    const path = `$.signatures[${index}]`;
    const entry = readSignatureEntry(signature);
    if (entry.is === "malformed") {
      const fix = "Sign the card again with ES256, RS256 or EdDSA and publish protected and signature in base64url.";
      yield { level: "error", code: entry.code, path, message: entry.because, fix, rule: entry.rule };
      continue;
    }
    if (isObject(signature) && signature["header"] !== undefined && !isObject(signature["header"])) {
      yield warning("signature-header", `${path}.header`, {
        message: `is ${quote(signature["header"])}, not an object`,
        fix: "Write an object.",
        rule: "SIG-002",
      });
    }
    if (entry.padded) {
      yield warning("padded", path, {
        message: "is padded with `=`, which RFC 7515 does not allow",
        fix: "Remove the padding.",
        rule: "SIG-002",
      });
    }
    const { typ, jku } = entry.header;
    if (typ !== "JOSE") {
      yield warning("typ", path, {
        message: `${typ === undefined ? "has no `typ`" : `has typ ${quote(typ)}`}; it should be "JOSE"`,
        fix: 'Set typ to "JOSE" in the protected header.',
        rule: "SIG-005",
      });
    }
    if (jku !== undefined && !isSafeSource(jku)) {
      yield warning("jku-no-https", path, {
        message: `names the key set ${quote(jku)}, not an https URL`,
        fix: "Serve the JWKS over https.",
        rule: "SIG-006",
      });
    }
  }
};

/** Accepts https, and http on this machine, where no one can intercept it. */
function isSafeSource(jku: string): boolean {
  const url = parseUrl(jku);
  return url?.scheme === "https" || (url?.scheme === "http" && isLoopback(url.host));
}

const warning = (
  code: CardFinding["code"],
  path: string,
  said: Pick<CardFinding, "message" | "fix" | "rule">,
): CardFinding => ({ level: "warning", code, path, ...said });
