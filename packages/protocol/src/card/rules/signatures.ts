import { isObject } from "../../json.ts";
import { isLoopback } from "../../loopback.ts";
import { type CardFinding, quote } from "../finding.ts";
import { readSignatureEntry } from "../protected-header.ts";
import { parseUrl } from "../url.ts";
import type { CardRule } from "./rule.ts";

/** Whether each signature can be read. Whether it is true takes a key, and verifyCard. */
export const signatures: CardRule = function* ({ served }) {
  const list = served["signatures"];
  if (!Array.isArray(list)) return;
  for (const [index, signature] of list.entries()) {
    const path = `$.signatures[${index}]`;
    const entry = readSignatureEntry(signature);
    if (entry.is === "malformed") {
      const fix = "Sign the card again with ES256, RS256 or EdDSA and publish protected and signature in base64url.";
      yield { level: "error", path, message: entry.because, fix, rule: entry.rule };
      continue;
    }
    if (isObject(signature) && signature["header"] !== undefined && !isObject(signature["header"])) {
      yield warning(`${path}.header`, `is ${quote(signature["header"])}, not an object`, "Write an object.", "SIG-002");
    }
    if (entry.padded) {
      yield warning(path, "is padded with `=`, which RFC 7515 leaves out", "Strip the padding.", "SIG-002");
    }
    const { typ, jku } = entry.header;
    if (typ !== "JOSE") {
      const seen = typ === undefined ? "names no `typ`" : `says typ ${quote(typ)}`;
      yield warning(path, `${seen}; "JOSE" is asked for`, 'Set typ to "JOSE" in the protected header.', "SIG-005");
    }
    if (jku !== undefined && !isSafeSource(jku)) {
      yield warning(path, `names the key set ${quote(jku)}, not an https URL`, "Serve the JWKS over https.", "SIG-006");
    }
  }
};

/** Over https, or from this very machine, where nobody listens in. */
function isSafeSource(jku: string): boolean {
  const url = parseUrl(jku);
  return url?.scheme === "https" || (url?.scheme === "http" && isLoopback(url.host));
}

const warning = (path: string, message: string, fix: string, rule: string): CardFinding => ({
  level: "warning",
  path,
  message,
  fix,
  rule,
});
