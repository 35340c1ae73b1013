import { type KeyObject, sign } from "node:crypto";
import type { JsonObject, JsonValue } from "@assay/protocol";
import { canonicalJson, signedMembers } from "@assay/protocol/signature";
import { createKeyPair, type KeyPair } from "@assay/wire/key-pair";
import type { Handler } from "@assay/wire/server";
import { changeAnswers } from "./http.ts";

/** Changes how a card is signed; absent members keep the correct behaviour. */
export interface Signing {
  /** the served card, before it is signed */
  readonly card?: (card: JsonObject) => JsonObject;
  /** the signed text (default: the canonical form of the card) */
  readonly payload?: (card: JsonObject) => string;
  readonly header?: (header: JsonObject) => JsonObject;
  /** the signature entry on the card */
  readonly entry?: (entry: JsonObject) => JsonObject;
  /** further signatures, made from the first one and its card */
  readonly more?: (first: JsonObject, card: JsonObject, signer: (payload: string) => JsonObject) => JsonObject[];
  /** the published key id, if it differs from that of the signature */
  readonly published?: string;
}

const kid = "assay-mutant-1";

export const canonical = (card: JsonObject): string => canonicalJson(signedMembers(card, { unknown: "keep" }));

/** Signs the card again with a separate key, which it publishes beside the card. */
export function signAnew(signing: Signing): (serve: Handler) => Handler {
  // Created on first use: most declared agents never get a request.
  let pair: KeyPair | undefined;
  const keys = () => (pair ??= createKeyPair("P-256"));
  const published = () => ({
    ...keys().publicKey.export({ format: "jwk" }),
    kid: signing.published ?? kid,
    use: "sig",
    alg: "ES256",
  });
  return changeAnswers((answer, { path, host, secure }) => {
    if (path.endsWith("/keys.json")) {
      return {
        status: 200,
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ keys: [published()] }),
      };
    }
    if (answer.status !== 200 || !path.endsWith("/.well-known/agent-card.json")) return answer;
    const jku = `${secure ? "https" : "http"}://${host}${path.replace(/\/\.well-known\/.*$/, "/keys.json")}`;
    return {
      ...answer,
      body: JSON.stringify(signed(JSON.parse(String(answer.body)) as JsonObject, jku, keys().privateKey, signing)),
    };
  });
}

function signed(served: JsonObject, jku: string, key: KeyObject, signing: Signing): JsonObject {
  const { signatures: _theirs, ...plain } = served;
  const card = signing.card?.(plain) ?? plain;
  const header: JsonObject = { alg: "ES256", kid, typ: "JOSE", jku };
  const signer = (payload: string): JsonObject => {
    const encoded = base64url(JSON.stringify(signing.header?.(header) ?? header));
    const input = Buffer.from(`${encoded}.${base64url(payload)}`);
    const signature = sign("sha256", input, { key, dsaEncoding: "ieee-p1363" }).toString("base64url");
    return { protected: encoded, signature };
  };
  const made = signer((signing.payload ?? canonical)(card));
  const first = signing.entry?.(made) ?? made;
  const all: JsonValue[] = [first, ...(signing.more?.(first, card, signer) ?? [])];
  return { ...card, signatures: all };
}

const base64url = (text: string): string => Buffer.from(text, "utf8").toString("base64url");
