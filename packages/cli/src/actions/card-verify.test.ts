import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signCard } from "@assay/protocol/signature";
import { createKeyPair } from "@assay/wire/key-pair";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";

const vectors = join(import.meta.dirname, "../../../../docs/signed-cards");
const folder = mkdtempSync(join(tmpdir(), "assay-card-verify-"));

/** Serves the documents by path, and notes the credentials of each request. */
const served = new Map<string, () => object | string>();
/** A card whose text JSON.stringify cannot write. */
const raw = new Map<string, string>();
const seen: { readonly path: string; readonly authorization: string | undefined }[] = [];
const servers: Server[] = [];
const hostsOf = async (): Promise<string> => {
  const server = createServer(({ url = "", headers }, response) => {
    seen.push({ path: url, authorization: headers.authorization });
    const answer = served.get(url)?.();
    if (typeof answer === "string") response.writeHead(302, { Location: answer }).end();
    else
      response
        .writeHead(answer ? 200 : 404, { "Content-Type": "application/json" })
        .end(raw.get(url) ?? JSON.stringify(answer ?? {}));
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
};
let agent = "";
let keys = "";

beforeAll(async () => {
  [agent, keys] = [await hostsOf(), await hostsOf()];
  const { privateKey, publicKey } = createKeyPair("P-256");
  const { signatures: _, ...card } = JSON.parse(readFileSync(join(vectors, "good-ES256.json"), "utf8"));
  const signedFor = async (jku?: string) => ({
    ...card,
    signatures: [await signCard(card, { key: privateKey, alg: "ES256", kid: "k1", ...(jku !== undefined && { jku }) })],
  });
  const jwks = { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "k1" }] };
  served.set("/jwks", () => jwks);
  served.set("/moved", () => `http://${keys}/jwks`);
  for (const [path, jku] of [
    ["own", `http://${agent}/jwks`],
    ["moved", `http://${agent}/moved`],
    ["foreign", `http://${keys}/jwks`],
    ["gone", `http://${agent}/nothing`],
    ["plain", "http://keys.example/jwks"],
    ["silent", undefined],
  ] as const) {
    const signed = await signedFor(jku);
    served.set(`/${path}/.well-known/agent-card.json`, () => signed);
  }
  const half = privateKey.export({ format: "jwk" });
  writeFileSync(join(folder, "private.json"), JSON.stringify(half));
  writeFileSync(join(folder, "public.jwk"), JSON.stringify(publicKey.export({ format: "jwk" })));
});

afterAll(() => {
  for (const server of servers) server.close();
});

async function verify(...args: readonly string[]) {
  const screen = paperScreen();
  const code = await run(["card", "verify", ...args], screen);
  return { code, out: screen.out(), complaint: screen.err() };
}

test("a file is verified with a key in a file", async () => {
  const trusted = join(vectors, "test-keys.jwks.json");
  expect(await verify(join(vectors, "good-unicode.json"), "--key", trusted)).toMatchObject({
    code: 0,
    out: `✓ signatures[0]  kid assay-test-key-do-not-trust-ES256, ES256  verified
  The signature matches the card.

The card is genuine: a key that you trust signed it.
`,
  });
  expect(await verify(join(vectors, "bad-changed.json"), "--key", trusted)).toMatchObject({
    code: 1,
    out: expect.stringContaining(
      "The card changed after signing, another key signed it, or the signed text was not canonical.",
    ),
  });
  const { code, out } = await verify(join(vectors, "bad-unsigned.json"), "--key", trusted);
  expect(code).toBe(1);
  expect(out).toContain("The card has no signature.");
});

test("a key without a name verifies any signature", async () => {
  expect((await verify(`http://${agent}/silent`, "--key", join(folder, "public.jwk"))).code).toBe(0);
});

test("without --key, only the agent's own host is trusted", async () => {
  expect((await verify(`http://${agent}/own`)).code).toBe(0);
  const foreign = await verify(`http://${agent}/foreign`);
  expect(foreign.code).toBe(2);
  expect(foreign.out).toContain(`jku is on the host ${keys}, which you did not name. If you trust it: --key ${keys}.`);
  expect((await verify(`http://${agent}/foreign`, "--key", keys)).code).toBe(0);
  expect((await verify(`http://${agent}/own`, "--key", keys)).code).toBe(2);
});

test.each([
  ["moved", "key-unreachable"],
  ["gone", "key-unreachable"],
  ["plain", "jku-not-allowed"],
  ["silent", "no-jku"],
])("a key that cannot be read decides nothing: %s", async (path, code) => {
  const { code: exit, out } = await verify(`http://${agent}/${path}`, "--json");
  expect(exit).toBe(2);
  expect(JSON.parse(out)).toMatchObject({ verdict: "unknown", signatures: [{ is: "unknown", code, kid: "k1" }] });
});

test("credentials for the agent do not go to the host of the keys", async () => {
  seen.length = 0;
  process.env["ASSAY_TEST_TOKEN"] = "s3cret-token";
  await verify(`http://${agent}/foreign`, "--key", keys, "--bearer", "env:ASSAY_TEST_TOKEN");
  delete process.env["ASSAY_TEST_TOKEN"];
  expect(seen.find(({ path }) => path.endsWith("agent-card.json"))?.authorization).toBe("Bearer s3cret-token");
  expect(seen.filter(({ path }) => path === "/jwks")).toEqual([{ path: "/jwks", authorization: undefined }]);
});

test("a private key, an empty file and a wrong host are wrong usage", async () => {
  const good = join(vectors, "good-ES256.json");
  expect((await verify(good, "--key", join(folder, "private.json"))).complaint).toContain("contains a private key");
  expect((await verify(good, "--key", join(vectors, "good-ES256.json"))).complaint).toContain("contains no key");
  expect(await verify(good, "--key", "a b")).toMatchObject({
    code: 2,
    complaint: expect.stringContaining("neither a file nor a host"),
  });
  const address = await verify(good, "--key", "https://keys.example.com/jwks.json");
  expect(address.complaint).toContain("Pass the host: keys.example.com");
});

test("members that A2A does not define may be unsigned, and are named", async () => {
  const card = JSON.parse(readFileSync(join(vectors, "good-ES256.json"), "utf8"));
  const file = join(folder, "added-url.json");
  writeFileSync(
    file,
    JSON.stringify({ ...card, url: "https://evil.example", skills: [{ ...card.skills[0], rank: 1 }] }),
  );
  const trusted = ["--key", join(vectors, "test-keys.jwks.json")];
  // The skill of the signed card has no `rank`, which a reader of generated types drops, like `url`.
  expect(await verify(file, ...trusted)).toMatchObject({
    code: 0,
    out: `✓ signatures[0]  kid assay-test-key-do-not-trust-ES256, ES256  other-reading
  The signature does not cover members that A2A 1.0 does not define: $.url, $.skills[0].rank. Anyone may have added them, and some clients reject the card.

A key that you trust signed the card, except for the members named above.
`,
  });
  const { out } = await verify(file, "--json", ...trusted);
  expect(JSON.parse(out)).toMatchObject({
    verdict: "verified",
    signatures: [{ unsigned: ["$.url", "$.skills[0].rank"] }],
  });
});

test("an agent whose card has a member twice is not verified", async () => {
  const path = "/twice/.well-known/agent-card.json";
  served.set(path, () => ({}));
  raw.set(path, readFileSync(join(vectors, "bad-duplicate.json"), "utf8"));
  const trusted = join(vectors, "test-keys.jwks.json");
  expect(await verify(`http://${agent}/twice`, "--key", trusted)).toMatchObject({
    code: 1,
    out: expect.stringContaining('The card contains the member "name" twice in one object, which RFC 8785 forbids.'),
  });
});
