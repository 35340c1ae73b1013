import { exportJWK, generateKeyPair, importJWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from "jose";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { TokenKeys } from "./token-keys.ts";
import { JwtVerifier } from "./token-verifier.ts";

const base = "http://127.0.0.1:4040";
const keys = new TokenKeys();
const verifier = new JwtVerifier(keys, (baseUrl) => baseUrl === base);
const now = Math.floor(Date.now() / 1000);

// The clock stands still: tokens that are good for seconds stay so.
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now: now * 1000 }));
afterAll(() => void vi.useRealTimers());

const goodHeader = async (): Promise<JWTHeaderParameters> => {
  const { kid } = (await keys.publicKeys()).keys[0]!;
  return { alg: "RS256", typ: "at+jwt", ...(kid !== undefined && { kid }) };
};
const good: JWTPayload = {
  iss: `${base}/oidc`,
  aud: `${base}/secure`,
  sub: "alice",
  iat: now,
  exp: now + 60,
  scope: "tasks:read tasks:write",
};

const signed = async (claims: JWTPayload, header: Partial<JWTHeaderParameters> = {}): Promise<string> => {
  const [jwk] = (await keys.privateKeys()).keys;
  return new SignJWT(claims)
    .setProtectedHeader({ ...(await goodHeader()), ...header })
    .sign(await importJWK(jwk!, "RS256"));
};

const part = (json: unknown): string => Buffer.from(JSON.stringify(json)).toString("base64url");

test("a good token says whose it is, and what it is good for", async () => {
  const grant = { subject: "alice", scopes: ["tasks:read", "tasks:write"] };
  expect(await verifier.verify(await signed(good))).toEqual(grant);
  expect(await verifier.verify(await signed({ ...good, aud: ["https://other.example", `${base}/secure`] }))).toEqual(
    grant,
  );
  // Clocks differ.
  expect(await verifier.verify(await signed({ ...good, exp: now - 1, nbf: now + 1 }))).toEqual(grant);
});

test("a token without scopes is good for nothing", async () => {
  const { scope: _scope, ...bare } = good;
  expect(await verifier.verify(await signed(bare))).toEqual({ subject: "alice", scopes: [] });
});

test.each<[string, () => Promise<string>]>([
  ["has expired", () => signed({ ...good, exp: now - 60 })],
  ["never expires", () => signed({ ...good, exp: undefined } as unknown as JWTPayload)],
  ["is not good yet", () => signed({ ...good, nbf: now + 60 })],
  ["is for another agent", () => signed({ ...good, aud: `${base}/full` })],
  ["is for no agent", () => signed({ ...good, aud: undefined } as unknown as JWTPayload)],
  ["is of another issuer", () => signed({ ...good, iss: "https://elsewhere.example/oidc" })],
  ["is of no issuer", () => signed({ ...good, iss: undefined } as unknown as JWTPayload)],
  ["is of an issuer that is no address", () => signed({ ...good, iss: "/oidc" })],
  ["is of our issuer at another address", () => signed({ ...good, iss: "http://127.0.0.1:9/oidc" })],
  ["is of our issuer, for us at another address", () => signed({ ...good, aud: "http://127.0.0.1:9/secure" })],
  ["has no subject", () => signed({ ...good, sub: undefined } as unknown as JWTPayload)],
  ["is an ID token", () => signed(good, { typ: "JWT" })],
  [
    "is signed by another key",
    async () => {
      const { privateKey } = await generateKeyPair("RS256");
      return new SignJWT(good).setProtectedHeader(await goodHeader()).sign(privateKey);
    },
  ],
  [
    "brings its own key",
    async () => {
      const { privateKey, publicKey } = await generateKeyPair("RS256");
      const header = { ...(await goodHeader()), jwk: await exportJWK(publicKey) };
      return new SignJWT(good).setProtectedHeader(header).sign(privateKey);
    },
  ],
  ["is not signed at all", async () => `${part({ ...(await goodHeader()), alg: "none" })}.${part(good)}.`],
  [
    "is signed with the public key as a password",
    async () => {
      const secret = new TextEncoder().encode(JSON.stringify((await keys.publicKeys()).keys[0]));
      return new SignJWT(good).setProtectedHeader({ ...(await goodHeader()), alg: "HS256" }).sign(secret);
    },
  ],
  [
    "was changed after it was signed",
    async () => {
      const [header, , signature] = (await signed(good)).split(".");
      return `${header}.${part({ ...good, sub: "bob" })}.${signature}`;
    },
  ],
  ["has a number as its issuer", () => signed({ ...good, iss: 5 } as unknown as JWTPayload)],
  ...[...Object.keys(good), "nbf"].flatMap((claim) =>
    [true, null, {}, [5]].map((value): [string, () => Promise<string>] => [
      `has ${JSON.stringify(value)} as its ${claim}`,
      () => signed({ ...good, [claim]: value } as unknown as JWTPayload),
    ]),
  ),
  ["is not a JWT", async () => "a.b.c"],
  ["is empty", async () => ".."],
])("rejects a token that %s", async (_name, make) => {
  expect(await verifier.verify(await make())).toBeUndefined();
});

test("the public keys have nothing of the private one", async () => {
  const [key] = (await keys.publicKeys()).keys;
  expect(Object.keys(key!).sort()).toEqual(["alg", "e", "kid", "kty", "n", "use"]);
});
