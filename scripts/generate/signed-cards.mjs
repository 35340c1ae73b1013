// Writes docs/signed-cards: cards to test a verifier with, their public keys, and the expected results.
// biome-ignore lint/style/noRestrictedImports: createKeyPair has no RSA; this script, too, takes keys as PEM only.
import { constants, createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson, signedMembers } from "../../packages/protocol/dist/card/signature.js";
import { root } from "../steps.mjs";

const folder = join(root, "docs/signed-cards");

const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
const algorithms = {
  ES256: { kind: ["ec", { namedCurve: "P-256" }], hash: "sha256", form: { dsaEncoding: "ieee-p1363" } },
  ES384: { kind: ["ec", { namedCurve: "P-384" }], hash: "sha384", form: { dsaEncoding: "ieee-p1363" } },
  ES512: { kind: ["ec", { namedCurve: "P-521" }], hash: "sha512", form: { dsaEncoding: "ieee-p1363" } },
  RS256: { kind: ["rsa", { modulusLength: 2048 }], hash: "sha256", form: {} },
  PS256: { kind: ["rsa", { modulusLength: 2048 }], hash: "sha256", form: pss },
  EdDSA: { kind: ["ed25519", {}], hash: null, form: {} },
};

const pem = {
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
};

function createKeys([kind, options]) {
  const { privateKey, publicKey } = generateKeyPairSync(kind, { ...options, ...pem });
  return { privateKey: createPrivateKey(privateKey), publicKey: createPublicKey(publicKey) };
}

/** Returns a key id which says that the key must not be trusted. The private keys are not kept. */
const kidOf = (alg) => `assay-test-key-do-not-trust-${alg}`;

const card = {
  name: "Signed Sample",
  description: "A card to test verifiers with. Its keys are test keys: never trust them.",
  supportedInterfaces: [{ url: "https://agent.example/rpc", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  version: "1.0.0",
  capabilities: { streaming: true },
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "sample", name: "Sample", description: "Does nothing.", tags: ["test"] }],
};

const padded = ({ signatures: [entry], ...json }) => ({
  ...json,
  signatures: [{ ...entry, signature: `${entry.signature}==` }],
});

const base64url = (text) => Buffer.from(text).toString("base64url");
const canonical = (json) => canonicalJson(signedMembers(json, { unknown: "keep" }));

const unicode = {
  ...card,
  name: "Vermesser Ünïcödé 测量 𝛑",
  description: 'Quotes " and \\ and / and a tab \t, a line\nbreak, an e with an accent as two characters: e\u0301.',
  provider: { organization: "Größe & Söhne <GmbH>", url: "https://agent.example" },
};

/** Members with their default values, which ProtoJSON may omit. They are not signed, except with explicit presence. */
const defaults = {
  ...card,
  capabilities: { streaming: false, pushNotifications: false, extensions: [] },
  documentationUrl: "",
  securitySchemes: {},
  securityRequirements: [],
  skills: [{ ...card.skills[0], examples: [], inputModes: [], tags: [] }],
};

/** Written by hand, because JSON.stringify would write the numbers in canonical form. */
const numbers = {
  whole: "1.0",
  exponent: "1e3",
  small: "0.000001",
  smaller: "0.0000001",
  large: "1e21",
  below: "100000000000000000000",
  negativeZero: "-0",
  fraction: "4.50",
  many: "333333333.33333329",
};

const withNumbers = {
  ...card,
  capabilities: { extensions: [{ uri: "https://agent.example/numbers/v1", params: "NUMBERS" }] },
};

const textOf = (json) => {
  const params = Object.entries(numbers).map(([name, text]) => `"${name}": ${text}`);
  return `${JSON.stringify(json, null, 2).replace('"NUMBERS"', `{ ${params.join(", ")} }`)}\n`;
};

export function generateSignedCards() {
  const keys = Object.fromEntries(Object.entries(algorithms).map(([alg, { kind }]) => [alg, createKeys(kind)]));
  const stranger = createKeys(algorithms.ES256.kind);
  const jwkOf = (alg, { publicKey }) => ({ ...publicKey.export({ format: "jwk" }), kid: kidOf(alg), alg, use: "sig" });

  /** Signs a text, by default the canonical form of the card. */
  const signed = (alg, json, { payload = canonical(json), header = {}, key = keys[alg].privateKey, form } = {}) => {
    const { hash, form: usual } = algorithms[alg];
    const head = base64url(JSON.stringify({ alg, typ: "JOSE", kid: kidOf(alg), ...header }));
    const bytes = sign(hash, Buffer.from(`${head}.${base64url(payload)}`), { key, ...(form ?? usual) });
    return { protected: head, signature: bytes.toString("base64url") };
  };
  const unsigned = (header, signature) => ({ protected: base64url(JSON.stringify(header)), signature });
  const es256 = (json, options) => ({ ...json, signatures: [signed("ES256", json, options)] });

  /** An HMAC with the public key as its secret: a verifier that trusts the signature's `alg` would accept it. */
  const forged = () => {
    const head = base64url(JSON.stringify({ alg: "HS256", typ: "JOSE", kid: kidOf("ES256") }));
    const secret = keys.ES256.publicKey.export({ type: "spki", format: "pem" });
    const text = `${head}.${base64url(canonical(card))}`;
    return { protected: head, signature: createHmac("sha256", secret).update(text).digest("base64url") };
  };

  const parsedNumbers = JSON.parse(textOf(withNumbers));
  const rows = [
    ...Object.keys(algorithms).map((alg) => [
      `good-${alg}`,
      `signed with ${alg}`,
      "verified",
      { ...card, signatures: [signed(alg, card)] },
    ]),
    [
      "good-defaults-absent",
      "members with default values are absent",
      "verified",
      es256({ ...card, capabilities: {} }),
    ],
    [
      "good-defaults-present",
      "members with default values are in the card; only those with explicit presence are signed",
      "verified",
      es256(defaults),
    ],
    ["good-unicode", "non-ASCII characters, escapes and combining characters", "verified", es256(unicode)],
    [
      "good-numbers",
      "numbers that are not written in their canonical form",
      "verified",
      { ...withNumbers, signatures: [signed("ES256", parsedNumbers)] },
    ],
    [
      "good-order",
      "members in another order than the canonical one",
      "verified",
      es256(Object.fromEntries(Object.entries(card).reverse())),
    ],
    [
      "good-unknown-member",
      "a member that A2A does not define is signed",
      "verified",
      es256({ ...card, "x-team": "maps" }),
    ],
    [
      "good-rotation",
      "two signatures; one of them has a key that you do not know",
      "verified",
      {
        ...card,
        signatures: [
          signed("ES256", card, { header: { kid: "assay-test-key-retired" }, key: stranger.privateKey }),
          signed("ES256", card),
        ],
      },
    ],
    ["bad-unsigned", "no signature", "no-signature", card],
    ["bad-changed", "the description changed after signing", "mismatch", { ...es256(card), description: "Changed." }],
    [
      "bad-added",
      "a member was added after signing",
      "added-later",
      { ...es256(card), iconUrl: "https://evil.example/i" },
    ],
    [
      "bad-added-proto-name",
      "a member was added after signing, under the name that it has in the .proto",
      "added-later",
      { ...es256(card), icon_url: "https://evil.example/i" },
    ],
    [
      "bad-duplicate",
      "another name was added before the signed one, for readers that keep the first of two members",
      "no-canonical-form",
      es256(card),
      (text) => text.replace("{\n", '{\n  "name": "Evil",\n'),
    ],
    [
      "bad-other-key",
      "another key signed the card under the name of the trusted one",
      "mismatch",
      es256(card, { key: stranger.privateKey }),
    ],
    [
      "bad-unknown-kid",
      "the key set does not contain the key",
      "unknown-key",
      es256(card, { header: { kid: "assay-test-key-unknown" } }),
    ],
    ["bad-no-kid", "the header names no key", "no-kid", es256(card, { header: { kid: undefined } })],
    [
      "bad-alg-none",
      "the algorithm is none",
      "alg-none",
      { ...card, signatures: [unsigned({ alg: "none", typ: "JOSE", kid: kidOf("ES256") }, "AA")] },
    ],
    [
      "bad-HS256-public-key",
      "HMAC with the public key as its secret",
      "alg-symmetric",
      { ...card, signatures: [forged()] },
    ],
    [
      "bad-key-type",
      "the header says RS256, and its key is an EC key",
      "key-unusable",
      es256(card, { header: { alg: "RS256" } }),
    ],
    ["bad-der", "the ECDSA signature is DER-encoded", "der-encoded", es256(card, { form: { dsaEncoding: "der" } })],
    [
      "bad-not-canonical",
      "the signed text is not canonical: its members are in the order of the card",
      "mismatch",
      es256(card, { payload: JSON.stringify(card) }),
    ],
    [
      "bad-signatures-kept",
      "the signed text contains an empty list of signatures",
      "signatures-kept",
      es256(card, { payload: canonicalJson({ ...card, signatures: [] }) }),
    ],
    [
      "bad-flags-filled-in",
      "the signed text contains capabilities that the card does not have",
      "flags-filled-in",
      es256(card, {
        payload: canonicalJson({
          ...card,
          capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
        }),
      }),
    ],
    [
      "bad-escaped-unicode",
      "the signed text has escapes instead of non-ASCII characters",
      "escaped-characters",
      es256(
        { ...card, name: "Größe" },
        {
          payload: canonical({ ...card, name: "Größe" }).replace(
            /[\u0080-\uffff]/g,
            (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`,
          ),
        },
      ),
    ],
    [
      "bad-base64url",
      "the signature is standard base64",
      "no-base64url",
      { ...card, signatures: [{ ...signed("ES256", card), signature: "a+b/" }] },
    ],
    ["bad-padded", "the signature is padded with =", "no-base64url", padded(es256(card))],
    [
      "bad-crit",
      "the header requires an extension that verifiers do not know",
      "unsupported-crit",
      es256(card, { header: { crit: ["https://agent.example/unknown"], "https://agent.example/unknown": true } }),
    ],
    [
      "bad-header-twice",
      "kid is both in the protected and in the unprotected header",
      "malformed-header",
      { ...card, signatures: [{ ...signed("ES256", card), header: { kid: kidOf("ES256") } }] },
    ],
  ];

  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const write = (name, text) => writeFileSync(join(folder, name), text);
  for (const [name, , , json, edited = (text) => text] of rows) write(`${name}.json`, edited(textOf(json)));
  const jwks = { keys: Object.entries(keys).map(([alg, pair]) => jwkOf(alg, pair)) };
  write("test-keys.jwks.json", `${JSON.stringify(jwks, null, 2)}\n`);
  const vectors = rows.map(([name, means, code, json]) => ({
    card: `${name}.json`,
    verifies: code === "verified",
    code,
    means,
    // The text that a correct signer signs, so that implementations can compare theirs.
    canonical: canonical(JSON.parse(textOf(json))),
  }));
  const about = "Signed Agent Cards to test a verifier with. The keys are test keys: never trust them.";
  write("index.json", `${JSON.stringify({ about, keys: "test-keys.jwks.json", vectors }, null, 2)}\n`);
}
