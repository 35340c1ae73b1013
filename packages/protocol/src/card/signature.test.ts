import { createPrivateKey, createSign, type KeyObject } from "node:crypto";
import { exportJWK, generateKeyPair } from "jose";
import { describe, expect, test } from "vitest";
import minimal from "../../examples/v1.0/card.minimal.json" with { type: "json" };
import type { AgentCard } from "../generated/model.ts";
import { candidatePayloads } from "./payloads.ts";
import { KeyNotFound, type SignatureKey, signCard, verifyCard } from "./signature.ts";

const card: AgentCard = { ...minimal, description: "Gezeiten für Möwen" };

/** One pair for each algorithm and owner: making one takes long. */
const made = new Map<string, ReturnType<typeof generateKeyPair>>();
function keys(alg: string, owner = "us") {
  const pair = made.get(`${alg} ${owner}`) ?? generateKeyPair(alg, { extractable: true });
  made.set(`${alg} ${owner}`, pair);
  return pair;
}
const always = (key: SignatureKey) => async () => key;
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Signs any text as the payload, the way a signer with its own idea of the card would. */
async function signText(text: string, key: KeyObject, encoding: "ieee-p1363" | "der") {
  const header = encode({ alg: "ES256", kid: "k", typ: "JOSE" });
  const input = `${header}.${Buffer.from(text).toString("base64url")}`;
  const signature = createSign("sha256").update(input).sign({ key, dsaEncoding: encoding });
  return { protected: header, signature: signature.toString("base64url") };
}

async function ecKeys() {
  const { privateKey, publicKey } = await keys("ES256");
  return { publicKey, nodeKey: createPrivateKey({ key: await exportJWK(privateKey), format: "jwk" }) };
}

describe.each(["ES256", "RS256", "EdDSA"] as const)("%s", (alg) => {
  test("a signed card verifies, in any order of members, and with the key as JWK", async () => {
    const { privateKey, publicKey } = await keys(alg);
    const signature = await signCard(card, { key: privateKey, alg, kid: "tide-1", jku: "https://k.example/jwks" });
    const served = Object.fromEntries(Object.entries({ ...card, signatures: [signature] }).reverse());
    const header = { alg, kid: "tide-1", typ: "JOSE", jku: "https://k.example/jwks" };
    const valid = { is: "valid", header, payload: "P1", reading: expect.stringContaining("8.4.1") };
    expect(await verifyCard(served, always(publicKey))).toEqual([valid]);
    expect(await verifyCard(served, always(await exportJWK(publicKey)))).toEqual([valid]);
  });

  test("a changed card does not verify", async () => {
    const { privateKey, publicKey } = await keys(alg);
    const signature = await signCard(card, { key: privateKey, alg, kid: "k" });
    const tampered = { ...card, name: "Somebody Else", signatures: [signature] };
    expect(await verifyCard(tampered, always(publicKey))).toMatchObject([
      { is: "invalid", code: "mismatch", header: { kid: "k" } },
    ]);
  });

  test("another key does not verify", async () => {
    const signature = await signCard(card, { key: (await keys(alg)).privateKey, alg, kid: "k" });
    const { publicKey } = await keys(alg, "another");
    expect(await verifyCard({ ...card, signatures: [signature] }, always(publicKey))).toMatchObject([
      { is: "invalid", code: "mismatch" },
    ]);
  });
});

test("each signature stands on its own, and is looked up by its own header", async () => {
  const [es, ed] = [await keys("ES256"), await keys("EdDSA")];
  const first = await signCard(card, { key: es.privateKey, alg: "ES256", kid: "old" });
  const second = await signCard({ ...card, signatures: [first] }, { key: ed.privateKey, alg: "EdDSA", kid: "new" });
  const lost = await signCard(card, { key: es.privateKey, alg: "ES256", kid: "lost" });
  const ring: Record<string, SignatureKey> = { old: es.publicKey, new: ed.publicKey };
  const verdicts = await verifyCard({ ...card, signatures: [first, second, lost] }, async ({ kid }) => ring[kid]);
  expect(verdicts).toMatchObject([{ is: "valid" }, { is: "valid" }, { is: "key-not-found", code: "unknown-key" }]);
});

test("who looks for a key may say why there is none; other errors are passed on", async () => {
  const signature = await signCard(card, { key: (await keys("ES256")).privateKey, alg: "ES256", kid: "k" });
  const signed = { ...card, signatures: [signature] };
  const refused = () => Promise.reject(new KeyNotFound("refused-by-guard", "10.0.0.1 is a private address"));
  expect(await verifyCard(signed, refused)).toMatchObject([
    { is: "key-not-found", code: "refused-by-guard", because: "10.0.0.1 is a private address" },
  ]);
  await expect(verifyCard(signed, () => Promise.reject(new Error("no disk")))).rejects.toThrow("no disk");
});

test("a key of another type than alg asks for is no match", async () => {
  const signature = await signCard(card, { key: (await keys("ES256")).privateKey, alg: "ES256", kid: "k" });
  const { publicKey } = await keys("RS256");
  expect(await verifyCard({ ...card, signatures: [signature] }, always(publicKey))).toMatchObject([
    { is: "invalid", code: "key-unusable" },
  ]);
});

test("a signer with a deviating idea of the card is recognised by name", async () => {
  const { publicKey, nodeKey } = await ecKeys();
  const loose = { ...minimal, description: "", url: "http://h/", provider: null, capabilities: { extensions: [] } };
  const payloads = candidatePayloads(loose);
  const signatures = await Promise.all(payloads.map(({ text }) => signText(text, nodeKey, "ieee-p1363")));
  const verdicts = await verifyCard({ ...loose, signatures }, always(publicKey));
  expect(verdicts.map((verdict) => verdict.is === "valid" && verdict.payload)).toEqual([
    "P1",
    "P2",
    "P3",
    "P3-python",
    "P4",
  ]);
});

test("DER-encoded ECDSA is recognised and named", async () => {
  const { publicKey, nodeKey } = await ecKeys();
  const [payload] = candidatePayloads(minimal);
  const good = await signText(payload!.text, nodeKey, "der");
  const bad = await signText("{}", nodeKey, "der");
  expect(await verifyCard({ ...minimal, signatures: [good, bad] }, always(publicKey))).toMatchObject([
    { is: "malformed", code: "der-encoded", because: expect.stringMatching(/DER-encoded.*it verifies$/) },
    {
      is: "malformed",
      code: "der-encoded",
      because: expect.stringMatching(/DER-encoded.*it does not verify either$/),
    },
  ]);
});

test.each([
  ["no object", "text", "signature-no-object", /not an object/],
  ["no strings", { protected: { alg: "ES256" }, signature: "AAAA" }, "no-base64url", /`protected` is an object/],
  [
    "standard base64",
    { protected: encode({ alg: "ES256", kid: "k" }), signature: "a+/=" },
    "no-base64url",
    /`signature` is not base64url/,
  ],
  ["an impossible length", { protected: "eyJhb", signature: "AAAA" }, "no-base64url", /`protected` is not base64url/],
  [
    "a header that is no JSON",
    { protected: "AAAA", signature: "AAAA" },
    "malformed-header",
    /does not decode to a JSON object/,
  ],
  [
    "a header that is a list",
    { protected: encode([]), signature: "AAAA" },
    "malformed-header",
    /does not decode to a JSON object/,
  ],
  ["no alg", { protected: encode({ kid: "k" }), signature: "AAAA" }, "no-alg", /no `alg`/],
  ["no kid", { protected: encode({ alg: "ES256" }), signature: "AAAA" }, "no-kid", /no `kid`/],
  ["alg none", { protected: encode({ alg: "none", kid: "k" }), signature: "AAAA" }, "alg-none", /nothing was signed/],
  [
    "a shared secret",
    { protected: encode({ alg: "HS256", kid: "k" }), signature: "AAAA" },
    "alg-symmetric",
    /can also forge/,
  ],
])("a signature with %s is malformed, and no key is asked for", async (_, signature, code, because) => {
  const refuse = () => Promise.reject(new Error("asked for a key"));
  expect(await verifyCard({ ...card, signatures: [signature] }, refuse)).toEqual([
    { is: "malformed", code, because: expect.stringMatching(because) },
  ]);
});

test("an algorithm Assay does not support says nothing about the card", async () => {
  const signature = { protected: encode({ alg: "ML-DSA-44", kid: "k" }), signature: "AAAA" };
  expect(await verifyCard({ ...card, signatures: [signature] }, async () => undefined)).toEqual([
    {
      is: "not-examined",
      code: "unsupported-alg",
      header: { alg: "ML-DSA-44", kid: "k" },
      because: 'Assay does not support "ML-DSA-44"',
    },
  ]);
});

test("a card with thousands of signatures costs no more than fifty", async () => {
  let asked = 0;
  const signatures = Array(5000).fill({ protected: encode({ alg: "ES256", kid: "k" }), signature: "AAAA" });
  const verdicts = await verifyCard({ ...card, signatures }, async () => void asked++ as undefined);
  expect([asked, verdicts.length]).toEqual([50, 5000]);
  expect(verdicts.at(-1)).toMatchObject({ is: "not-examined", code: "too-many-signatures" });
});

test("padding after base64url is forgiven", async () => {
  const { privateKey, publicKey } = await keys("EdDSA");
  const signature = await signCard(card, { key: privateKey, alg: "EdDSA", kid: "k" });
  const padded = { ...signature, signature: `${signature.signature}==` };
  expect(await verifyCard({ ...card, signatures: [padded] }, always(publicKey))).toMatchObject([{ is: "valid" }]);
});

test("a card without a canonical form cannot have been signed; one beyond our limits is not judged", async () => {
  const { privateKey, publicKey } = await keys("EdDSA");
  const signatures = [await signCard(card, { key: privateKey, alg: "EdDSA", kid: "k" })];
  let deep: unknown = 0;
  for (let level = 0; level < 20_000; level++) deep = [deep];
  expect(await verifyCard({ ...card, name: "\ud800", signatures }, always(publicKey))).toMatchObject([
    { is: "malformed", code: "no-canonical-form", because: expect.stringContaining("RFC 8785") },
  ]);
  expect(await verifyCard({ ...card, deep, signatures }, always(publicKey))).toMatchObject([
    { is: "not-examined", code: "card-beyond-limits", because: expect.stringContaining("deeper than 100") },
  ]);
});

test.each([undefined, null, "card", [], {}, { signatures: {} }])("%j has no signatures to judge", async (json) => {
  expect(await verifyCard(json, async () => undefined)).toEqual([]);
});

test("a key of the curve Ed448 is not examined, because EdDSA includes it", async () => {
  const header = encode({ alg: "EdDSA", kid: "k", typ: "JOSE" });
  const key = { kty: "OKP", crv: "Ed448", x: "A".repeat(76) };
  expect(
    await verifyCard({ ...card, signatures: [{ protected: header, signature: "AAAA" }] }, always(key)),
  ).toMatchObject([{ is: "not-examined", code: "unsupported-alg", because: "Assay does not support Ed448 keys" }]);
});
