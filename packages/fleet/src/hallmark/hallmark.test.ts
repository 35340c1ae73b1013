import { createHmac, createPublicKey, randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { provesAll } from "../../../../e2e/fixtures/proves-all.fixture.ts";
import { addressText } from "./address-text.ts";
import { type RefusalCode, readBearingReport } from "./bearing.ts";
import { generateSigningKey, readSigningKey, readTrustedKeys, type SigningKey, signatureAlgorithms } from "./keys.ts";
import { digestOf } from "./reading.ts";
import { brokenReport, bytesOf, cardOnlyReport, conformantReport, reportWith } from "./report.fixture.ts";
import { signRevocations, withRevoked } from "./revocations.ts";
import { lowS, sealed } from "./sealed.ts";
import { signHallmark } from "./sign.ts";
import { type HallmarkQuestion, type HallmarkVerdict, verifyHallmark } from "./verify.ts";

const report = bytesOf(conformantReport);
const source = "recording" as const;
const now = new Date("2026-11-16T08:00:00Z");
const days = (count: number): Date => new Date(now.getTime() + count * 86_400_000);

/** A key, and the hallmark that it signed. */
async function issued(alg: SigningKey["alg"]) {
  const { pem, jwks } = await generateSigningKey(alg);
  const key = await readSigningKey(pem);
  const { jws, claims } = await signHallmark({ report, source, key, issuer: "Registry", days: 90, now });
  const keys = await readTrustedKeys(JSON.stringify(jwks));
  const ask = (more: Partial<HallmarkQuestion> = {}): Promise<HallmarkVerdict> =>
    verifyHallmark({ hallmark: jws, keys, at: now, ...more });
  return { key, keys, jws, claims, ask, pem };
}

type Issued = Awaited<ReturnType<typeof issued>>;
const codeOf = async (verdict: Promise<HallmarkVerdict>): Promise<string> => {
  const found = await verdict;
  return found.is === "good" ? "good" : found.code;
};

const flipped = (bytes: Uint8Array, bit: number): Uint8Array =>
  bytes.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const headOf = (jws: string): Record<string, string> =>
  JSON.parse(Buffer.from(jws.split(".")[0]!, "base64url").toString());

describe.each(signatureAlgorithms)("signed with %s", (alg) => {
  let it: Issued;
  beforeAll(async () => {
    it = await issued(alg);
  });

  test("a hallmark says what its report does, and holds", async () => {
    const verdict = await it.ask({ report, cardDigest: "ab".repeat(32) });
    expect(verdict).toMatchObject({
      is: "good",
      claims: {
        iss: "Registry",
        sub: "https://agent.example",
        exp: Date.parse("2027-02-13T08:14:02Z") / 1000,
        hallmark: { level: "partial", examined: { rules: 2, of: 3 }, ruleSet: "1.0.1-r1", scope: "everything" },
      },
    });
  });

  test("verification rejects a change to any byte, and to any bit of header and signature", async () => {
    const bytes = Buffer.from(it.jws);
    const [head, body] = it.jws.split(".").map((each) => each.length);
    const passed: number[] = [];
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const byte = bit >> 3;
      const isOfBody = byte > head! && byte <= head! + body!;
      if (isOfBody && bit % 8 !== byte % 8) continue;
      // A sample: one bit in seven is of every byte in turn.
      if (!provesAll && bit % 7 !== 0) continue;
      const changed = Buffer.from(flipped(bytes, bit)).toString();
      if ((await it.ask({ hallmark: changed })).is === "good") passed.push(bit);
    }
    expect(passed).toEqual([]);
  });

  test.each([
    ["a blank line", (jws: string) => `${jws}\n`],
    ["a blank before it", (jws: string) => ` ${jws}`],
    ["padding", (jws: string) => jws.replace("\n", "==\n")],
    ["a fourth part", (jws: string) => jws.replace("\n", ".AA\n")],
    [
      "spaces in its head",
      (jws: string) => jws.replace(/^[^.]+/, Buffer.from(JSON.stringify(headOf(jws), null, 1)).toString("base64url")),
    ],
    ["no signature", (jws: string) => jws.replace(/\.[^.]+$/, ".")],
  ])("verification rejects another encoding: %s", async (_what, change) => {
    expect((await it.ask({ hallmark: change(it.jws) })).is).toBe("bad");
  });

  test("without the line break at its end it is the same", async () => {
    expect(await codeOf(it.ask({ hallmark: it.jws.trimEnd() }))).toBe("good");
  });

  test("signed with a key of the same kind that is not trusted, it is not genuine", async () => {
    const other = await issued(alg);
    expect(await codeOf(it.ask({ hallmark: other.jws }))).toBe("unknown-key");
    const [, body, signature] = other.jws.split(".");
    // The same name for another key: the signature decides.
    expect(await codeOf(it.ask({ hallmark: `${it.jws.split(".")[0]}.${body}.${signature}` }))).toBe("mismatch");
  });
});

describe("verification", () => {
  let ed: Issued;
  let ec: Issued;
  beforeAll(async () => {
    [ed, ec] = [await issued("EdDSA"), await issued("ES256")];
  });

  test.each([
    ["no algorithm", { alg: "none" }, "unsupported-algorithm"],
    ["the algorithm of another key", { alg: "EdDSA" }, "unsupported-algorithm"],
    ["a key of its own", { jwk: { kty: "OKP" } }, "malformed"],
    ["an address of keys", { jku: "https://evil.example/jwks.json" }, "malformed"],
    ["extensions", { crit: ["b64"], b64: false }, "malformed"],
    ["another type", { typ: "JWT" }, "other-type"],
    ["no type", { typ: undefined }, "malformed"],
    ["another key", { kid: "other" }, "unknown-key"],
  ])("rejects a header with %s", async (_what, change, code) => {
    const [, body, signature] = ec.jws.split(".");
    const hallmark = `${part({ ...headOf(ec.jws), ...change })}.${body}.${signature}`;
    expect(await codeOf(ec.ask({ hallmark }))).toBe(code);
  });

  test("rejects an HMAC with the public key as its secret", async () => {
    const { kid, key } = ec.key.trusted;
    const spki = key.export({ type: "spki", format: "pem" });
    for (const secret of [spki, JSON.stringify(ec.key.trusted.jwk)]) {
      const signed = `${part({ alg: "HS256", kid, typ: "assay-hallmark+jwt" })}.${ec.jws.split(".")[1]}`;
      const mac = createHmac("sha256", secret).update(signed).digest("base64url");
      expect(await codeOf(ec.ask({ hallmark: `${signed}.${mac}` }))).toBe("unsupported-algorithm");
    }
  });

  test("rejects the second valid ES256 signature of the same text", async () => {
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
    const [head, body, signature] = ec.jws.trimEnd().split(".");
    const bytes = Buffer.from(signature!, "base64url");
    const s = (order - BigInt(`0x${bytes.subarray(32).toString("hex")}`)).toString(16).padStart(64, "0");
    const twin = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s, "hex")]);
    expect(await codeOf(ec.ask({ hallmark: `${head}.${body}.${twin.toString("base64url")}\n` }))).toBe("mismatch");
    expect(Buffer.from(lowS(twin))).toEqual(bytes);
  });

  test("rejects a key in a JWKS that claims the id of another key", async () => {
    const evil = await issued("EdDSA");
    const jwks = { keys: [{ ...evil.key.trusted.jwk, kid: ed.key.kid }] };
    const keys = await readTrustedKeys(JSON.stringify(jwks));
    expect(await codeOf(ed.ask({ keys }))).toBe("unknown-key");
    const both = await readTrustedKeys(JSON.stringify({ keys: [...jwks.keys, ed.key.trusted.jwk] }));
    expect(await codeOf(ed.ask({ keys: both }))).toBe("good");
  });

  test("rejects a mix of two hallmarks of one issuer", async () => {
    const other = await signHallmark({ report, source, key: ed.key, issuer: "Registry", days: 9, now });
    const [head, , signature] = ed.jws.split(".");
    expect(await codeOf(ed.ask({ hallmark: `${head}.${other.jws.split(".")[1]}.${signature}` }))).toBe("mismatch");
  });

  test("rejects a revocation list as a hallmark, and a hallmark as a revocation list", async () => {
    const list = await signRevocations({ key: ed.key, issuer: "Registry", revoked: [], days: 30, now });
    expect(await codeOf(ed.ask({ hallmark: list }))).toBe("other-type");
    expect(await codeOf(ed.ask({ revocations: ed.jws }))).toBe("list-not-genuine");
  });

  test.each([
    ["an agent that is not conformant", { outcome: "not-conformant" }],
    ["no level", { level: null }],
    ["the level of those that fail", { level: "non-conformant" }],
    ["the card alone", { scope: "card" }],
    ["nothing examined", { examined: { rules: 0, of: 3 } }],
    ["little examined", { examined: { rules: 2, of: 5 } }],
    ["more examined than there is", { examined: { rules: 4, of: 3 } }],
    ["no source", { source: undefined }],
    ["an unknown source", { source: "hearsay" }],
    ["a later version", { version: 2 }],
    ["something unknown", { except: "streaming" }],
  ])("rejects signed claims of %s", async (_what, change) => {
    const claims = { ...ed.claims, hallmark: { ...ed.claims.hallmark, ...change } };
    const hallmark = await sealed("assay-hallmark+jwt", claims, ed.key);
    expect(await codeOf(ed.ask({ hallmark }))).toBe("malformed");
  });

  test("rejects a hallmark that claims more than its report", async () => {
    const claims = { ...ed.claims, hallmark: { ...ed.claims.hallmark, examined: { rules: 3, of: 3 } } };
    const hallmark = await sealed("assay-hallmark+jwt", claims, ed.key);
    expect(await codeOf(ed.ask({ hallmark }))).toBe("good");
    expect(await codeOf(ed.ask({ hallmark, report }))).toBe("report-contradicts");
  });

  test("rejects a hallmark for a report with an edited head", async () => {
    const edited = bytesOf({ ...conformantReport, conformanceLevel: "full" });
    const claims = { ...ed.claims, hallmark: { ...ed.claims.hallmark, level: "full", report: digestOf(edited) } };
    const hallmark = await sealed("assay-hallmark+jwt", claims, ed.key);
    expect(await codeOf(ed.ask({ hallmark, report: edited }))).toBe("report-contradicts");
  });

  test("rejects a report with a changed bit: one in every ninth byte", async () => {
    const passed: number[] = [];
    for (let at = 0; at < report.length; at += 9)
      if ((await ed.ask({ report: flipped(report, at * 8 + (at % 8)) })).is === "good") passed.push(at);
    expect(passed).toEqual([]);
    expect(await codeOf(ed.ask({ report: report.subarray(0, -1) }))).toBe("report-differs");
  });

  test("rejects another card", async () => {
    expect(await codeOf(ed.ask({ cardDigest: "cd".repeat(32) }))).toBe("card-differs");
  });
});

describe("time", () => {
  let it: Issued;
  beforeAll(async () => {
    it = await issued("EdDSA");
  });

  test.each([
    ["a day before it was signed", -1, "not-yet-valid"],
    ["in clocks that differ by a minute", -1 / 1440, "good"],
    ["on its last day", 88.9, "good"],
    ["after it", 89.1, "expired"],
  ])("%s", async (_when, later, code) => {
    expect(await codeOf(it.ask({ at: days(later) }))).toBe(code);
  });

  test("a hallmark expires a fixed time after the test, not after the signature", async () => {
    const late = { report, source, key: it.key, issuer: "Registry", days: 90 };
    const { claims } = await signHallmark({ ...late, now: days(80) });
    expect(claims.exp).toBe(it.claims.exp);
    expect(claims.jti).toBe(it.claims.jti);
    await expect(signHallmark({ ...late, now: days(90) })).rejects.toMatchObject({ code: "too-old" });
    await expect(signHallmark({ ...late, now: days(-30) })).rejects.toMatchObject({ code: "from-the-future" });
  });
});

describe("revocations", () => {
  let it: Issued;
  beforeAll(async () => {
    it = await issued("EdDSA");
  });
  const at = Date.parse("2026-11-17T00:00:00Z") / 1000;
  const listOf = (ids: readonly string[], more: Partial<Parameters<typeof signRevocations>[0]> = {}): Promise<string> =>
    signRevocations({
      key: it.key,
      issuer: "Registry",
      revoked: ids.map((id) => ({ id, at, reason: "the key was stolen" })),
      days: 30,
      now,
      ...more,
    });

  test("a listed hallmark is revoked, even when the list has expired", async () => {
    const revocations = await listOf([randomUUID(), it.claims.jti]);
    for (const when of [now, days(60)]) expect(await codeOf(it.ask({ revocations, at: when }))).toBe("revoked");
  });

  test("a hallmark that is not listed is valid until the list expires", async () => {
    const revocations = await listOf([randomUUID()]);
    expect(await codeOf(it.ask({ revocations }))).toBe("good");
    expect(await codeOf(it.ask({ revocations, at: days(30) }))).toBe("list-stale");
  });

  test("a list with another issuer, another key or a changed bit is rejected", async () => {
    const other = await issued("EdDSA");
    expect(await codeOf(it.ask({ revocations: await listOf([], { issuer: "Other" }) }))).toBe("list-of-another-issuer");
    expect(await codeOf(it.ask({ revocations: await listOf([], { key: other.key }) }))).toBe("list-not-genuine");
    const list = Buffer.from(await listOf([it.claims.jti]));
    const answers = new Set<string>();
    for (let byte = 0; byte < list.length; byte++)
      answers.add(await codeOf(it.ask({ revocations: Buffer.from(flipped(list, byte * 8 + (byte % 8))).toString() })));
    expect([...answers]).toEqual(["list-not-genuine"]);
  });

  test("what was revoked stays so, once", () => {
    const [one, two] = [randomUUID(), randomUUID()].map((id) => ({ id, at, reason: "r" }));
    const before = { iss: "Registry", iat: at, exp: at + 1, revocations: { version: 1 as const, revoked: [one!] } };
    expect(withRevoked(before, [two!, one!, two!])).toEqual([one, two]);
  });
});

describe("signing", () => {
  const touched = (change: object): object => ({ ...conformantReport, ...change });
  const { categories } = conformantReport;
  const withResult = (change: object): object => ({
    ...categories,
    lifecycle: categories.lifecycle.map((result) => (result.test === "LIST-001" ? { ...result, ...change } : result)),
  });
  const filteredCategories = withResult({ unexamined: "filter" });
  const oddStatus = withResult({ status: "pass" });
  test.each<[string, unknown, RefusalCode]>([
    ["a broken rule", brokenReport, "not-conformant"],
    ["the card alone", cardOnlyReport, "not-everything"],
    ["no message", reportWith([], { depth: "free" }), "not-everything"],
    ["some rules", reportWith([], { filtered: true }), "not-everything"],
    ["a client", reportWith([], { subject: "client" }), "no-agent"],
    ["a pair of agents", reportWith([], { subject: "pair" }), "no-agent"],
    ["an agent that went away", touched({ outcome: "inconclusive", conformanceLevel: null }), "inconclusive"],
    ["a run that was cut off", touched({ ending: "cut-off" }), "inconclusive"],
    ["an edited head", { ...brokenReport, outcome: "conformant" }, "contradictory"],
    [
      "an edited version",
      touched({ dialects: [{ ...conformantReport.dialects[0]!, outcome: "inconclusive" }] }),
      "contradictory",
    ],
    ["edited counts", touched({ summary: { ...conformantReport.summary, examined: 3 } }), "contradictory"],
    ["a better level", touched({ conformanceLevel: "full" }), "contradictory"],
    [
      "another reason for its level",
      touched({ levelBecause: "every rule that applies was examined" }),
      "contradictory",
    ],
    [
      "more rules that pass",
      touched({ summary: { ...conformantReport.summary, passed: 3, skipped: 1 } }),
      "contradictory",
    ],
    ["fewer rules that apply", touched({ summary: { ...conformantReport.summary, applicable: 2 } }), "contradictory"],
    ["some rules, called everything", touched({ categories: filteredCategories }), "contradictory"],
    ["a status that is not its verdict's", touched({ categories: oddStatus }), "contradictory"],
    ["invalid results", touched({ categories: { lifecycle: [null] } }), "contradictory"],
    ["nothing examined", touched({ summary: { ...conformantReport.summary, examined: 0 } }), "too-little-examined"],
    ["less than half", touched({ summary: { ...conformantReport.summary, applicable: 5 } }), "too-little-examined"],
    ["no digest of the card", touched({ cardDigest: undefined }), "no-card"],
    ["a login in the address", touched({ agentUrl: "https://a:b@agent.example" }), "no-agent"],
    ["no address", touched({ agentUrl: "node client.js" }), "no-agent"],
    ["something else", { hello: "world" }, "no-report"],
    ["no JSON", undefined, "no-report"],
  ])("refuses a hallmark for %s", (_what, given, code) => {
    expect(() => readBearingReport(bytesOf(given), "recording")).toThrow(expect.objectContaining({ code }));
  });

  test("a report file names an agent at whose address something was tested; a recording may name another", () => {
    const elsewhere = bytesOf(touched({ agentUrl: "https://victim.example" }));
    expect(() => readBearingReport(elsewhere, "report")).toThrow(expect.objectContaining({ code: "contradictory" }));
    expect(readBearingReport(elsewhere, "recording").agentUrl).toBe("https://victim.example");
  });

  test("accepts an agent without a broken rule in a run of everything", () => {
    expect(readBearingReport(report, "recording").conformanceLevel).toBe("partial");
  });
});

describe("keys", () => {
  test("are read in every common form, and known by the same name", async () => {
    const { pem, key, keys } = await issued("ES256");
    const sec1 = key.key.export({ type: "sec1", format: "pem" }) as string;
    const spki = createPublicKey(pem).export({ type: "spki", format: "pem" }) as string;
    const names = [
      (await readSigningKey(sec1)).kid,
      (await readSigningKey(JSON.stringify(key.key.export({ format: "jwk" })))).kid,
      (await readTrustedKeys(spki))[0]!.kid,
      (await readTrustedKeys(JSON.stringify({ ...key.trusted.jwk, kid: "something else" })))[0]!.kid,
    ];
    expect(new Set([...names, keys[0]!.kid])).toEqual(new Set([key.kid]));
  });

  test("a private key is not taken for a public one, nor the reverse, and nothing of it is said", async () => {
    const { pem, key } = await issued("EdDSA");
    const jwk = JSON.stringify(key.key.export({ format: "jwk" }));
    for (const text of [pem, jwk, `{"keys":[${jwk}]}`])
      await expect(readTrustedKeys(text)).rejects.toThrow("private key");
    await expect(readSigningKey(JSON.stringify(key.trusted.jwk))).rejects.toThrow("not a private key");
    const torn = pem.slice(0, 60);
    await expect(readSigningKey(`${torn}\n-----END PRIVATE KEY-----`)).rejects.toThrow(/^it cannot be read/);
  });

  test.each([
    ["a secret", { kty: "oct", k: "c2VjcmV0" }],
    ["another curve", { kty: "EC", crv: "P-384", x: "AA", y: "AA" }],
    ["nothing", {}],
  ])("%s is refused", async (_what, jwk) => {
    await expect(readTrustedKeys(JSON.stringify(jwk))).rejects.toThrow(/Ed25519|P-256/);
    await expect(readTrustedKeys(JSON.stringify({ keys: [jwk] }))).rejects.toThrow("no key that signs hallmarks");
  });
});

test.each([
  ["https://agent.example/a", "https://agent.example/a"],
  ["https://аgent.example/a", "https://аgent.example/a (xn--gent-43d.example)"],
  ["https://xn--gent-43d.example", "https://xn--gent-43d.example (аgent.example)"],
  ["https://%D0%B0gent.example", "https://%D0%B0gent.example (xn--gent-43d.example)"],
  ["regіstry.example", "regіstry.example (xn--regstry-tog.example)"],
  ["registry.example", "registry.example"],
  ["The Registry", "The Registry"],
  ["http://127.0.0.1:80/", "http://127.0.0.1:80/"],
])("%s is shown as %s", (text, shown) => {
  expect(addressText(text)).toBe(shown);
});
