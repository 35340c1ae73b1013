import { isObject, type JsonObject, type JsonValue, jsonObjectIn, writtenText } from "@assay/protocol";
import { asList, brief } from "../../answers/loose-json.ts";
import { type CardCheck, cardCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { unlessOlder } from "./lint.ts";

/** Judges the format of a signature; undefined if the rule does not apply to it. */
type JudgeEntry = (entry: JsonValue, place: string) => Finding | undefined;

const most = 50;

/** Checks the format of each signature; verifying it needs a key and happens elsewhere. */
const entryCheck = (id: string, judge: JudgeEntry): CardCheck =>
  cardCheck(id, {
    // Also covers signatures that are not objects, which the facts do not include.
    requires: [],
    judge(card) {
      const entries = asList(card.json["signatures"]).slice(0, most);
      const older = unlessOlder(card);
      if (older) return older;
      if (entries.length === 0) return notApplicable("the card is not signed");
      const found = entries.flatMap((entry, index) => judge(entry, `signatures[${index}]`) ?? []);
      return found.length ? found : notExamined("not-triggered", "no signature of the card is readable");
    },
  });

/** A rule about the protected header, which applies only if the header is readable. */
const aboutHeader =
  (judge: (header: JsonObject, place: string) => Finding): JudgeEntry =>
  (entry, place) => {
    const header = headerIn(entry);
    return header && judge(header, place);
  };

export const signatureEntryChecks: readonly CardCheck[] = [
  entryCheck("SIG-002", (entry, place) => {
    const want = "protected and signature: base64url strings; header: an object";
    if (!isObject(entry)) return broken(`${place} is not an object`, { saw: brief(entry), want });
    for (const member of ["protected", "signature"]) {
      const value = entry[member];
      if (typeof value !== "string" || !isBase64url(value)) {
        return broken(`${place}.${member} is not a base64url string`, { saw: brief(value), want });
      }
    }
    const { header } = entry;
    if (header !== undefined && header !== null && !isObject(header)) {
      return broken(`${place}.header is not an object`, { saw: brief(header), want });
    }
    const padded = ["protected", "signature"].find((member) => writtenText(entry[member]).endsWith("="));
    return padded ? breach("padded", `${place}.${padded} is padded with =, which RFC 7515 forbids`, { want }) : holds();
  }),
  entryCheck("SIG-003", (entry, place) => {
    const want = "a JSON object with alg, such as ES256";
    const encoded = isObject(entry) ? entry["protected"] : undefined;
    if (typeof encoded !== "string" || !isBase64url(encoded)) return undefined;
    const header = headerIn(entry);
    if (!header) return broken(`${place}.protected does not decode to a JSON object`, { want });
    const { alg } = header;
    const saw = `protected header ${brief(header)}`;
    if (typeof alg !== "string" || alg === "") {
      return broken(`the protected header of ${place} has no alg`, { saw, want });
    }
    if (/^none$/i.test(alg))
      return broken(`the protected header of ${place} has alg none, so nothing is signed`, { saw, want });
    if (/^HS\d/.test(alg)) {
      return breach("alg-symmetric", `${place} uses a shared secret, so every party that can verify it can forge it`, {
        saw,
        want,
      });
    }
    return /^((ES|RS|PS)(256|384|512)|ES256K|EdDSA|Ed25519|Ed448|ML-DSA-\d+)$/.test(alg)
      ? holds()
      : holds(`${place} uses an algorithm that Assay does not know`);
  }),
  entryCheck(
    "SIG-004",
    aboutHeader((header, place) =>
      typeof header["kid"] === "string" && header["kid"] !== ""
        ? holds()
        : broken(`the protected header of ${place} has no kid`, {
            saw: `protected header ${brief(header)}`,
            want: "kid: a string that is not empty",
          }),
    ),
  ),
  entryCheck(
    "SIG-005",
    aboutHeader((header, place) =>
      header["typ"] === "JOSE"
        ? holds()
        : broken(`the protected header of ${place} does not have typ JOSE`, {
            saw: `protected header ${brief(header)}`,
            want: 'typ: "JOSE"',
          }),
    ),
  ),
];

/** Rejects whitespace, the standard alphabet and impossible lengths; padding is judged separately. */
const isBase64url = (text: string): boolean => /^[\w-]+={0,2}$/.test(text) && text.replace(/=+$/, "").length % 4 !== 1;

function headerIn(entry: JsonValue): JsonObject | undefined {
  const encoded = isObject(entry) ? entry["protected"] : undefined;
  if (typeof encoded !== "string" || !isBase64url(encoded)) return undefined;
  return jsonObjectIn(Buffer.from(encoded, "base64url"));
}
