import { isObject, type JsonObject } from "../../json.ts";
import { isLoopback } from "../../loopback.ts";
import { isPresent, unknownMembers } from "../canonical.ts";
import { type CardFinding, finding, quote } from "../finding.ts";
import { fieldOf, walk } from "../messages.ts";
import { readSignatureEntry } from "../protected-header.ts";
import { parseUrl } from "../url.ts";
import type { CardRule } from "./rule.ts";

/**
 * Finds members over which two correct implementations may sign different bytes. For unsigned cards it reports only
 * defaults that a ProtoJSON printer would omit; the rest matters only with a signature.
 */
export const signedBytes: CardRule = function* ({ served, shape }) {
  if (shape === "older") return;
  const isSigned = Array.isArray(served["signatures"]) && served["signatures"].length > 0;
  const { defaults, explicit } = doubtful(served);
  const unknown = unknownMembers(served);
  if (defaults.length) {
    yield finding(isSigned ? "warning" : "info", "signed-default", defaults[0]!, {
      message: `${several(defaults)} set to the default value; 8.4.1 signs the card without such members`,
      fix: "Remove them, so that every reader computes the same bytes.",
      rule: "SIG-012",
    });
  }
  if (isSigned && explicit.length) {
    yield finding("info", "signed-explicit-default", explicit[0]!, {
      message: `${several(explicit)} explicitly set to the default value; 8.4.1 signs it, the short steps of 8.4.3 drop it`,
      fix: "If possible, remove the optional members, because clients differ here.",
      rule: "SIG-010",
    });
  }
  if (isSigned && unknown.length) {
    yield finding("info", "signed-unknown-member", unknown[0]!, {
      message: `${several(unknown)} unknown in 1.0; verifiers that parse into generated types drop such members`,
      fix: "Sign the card without them, or do not publish them in a signed card.",
      rule: "SIG-014",
    });
  }
};

function doubtful(card: JsonObject) {
  const places = { defaults: [] as string[], explicit: [] as string[] };
  for (const { message, json, path } of walk("AgentCard", card)) {
    for (const [name, value] of Object.entries(json)) {
      const field = fieldOf(message, name);
      const place = `${path}.${name}`;
      // The shape rule reports null.
      if (value === null || place === "$.signatures" || place.startsWith("$.signatures[") || !field) continue;
      if (!isPresent(field, value)) places.defaults.push(place);
      else if (value === "" || value === false || (Array.isArray(value) && !value.length)) places.explicit.push(place);
    }
  }
  return places;
}

function several(places: string[]): string {
  const named = places.slice(0, 5).join(", ");
  const more = places.length > 5 ? ` and ${places.length - 5} more` : "";
  return `${named}${more} ${places.length === 1 ? "is" : "are"}`;
}

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
