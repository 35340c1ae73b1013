import { startTestbed, type Testbed } from "@assay/agents";
import type { Binding } from "@assay/protocol";
import { checks, type TestOptions } from "@assay/suite";
import { createEgressGuard } from "@assay/wire";
import { afterAll, describe, expect, test } from "vitest";
import { makeCertificates } from "../../packages/wire/src/client/certificates.fixture.ts";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { codeToken } from "../proof/code-login.fixture.ts";
import { startFront } from "../proof/front.fixture.ts";
import { line, prove, startFixtures, timeScale } from "../proof/proving.fixture.ts";
import { shownToken, tokenLogins } from "../proof/token-logins.fixture.ts";

// Two callers of /secure and a third that may do less, by every kind of credential: whatever they log in by, the agent is
// examined to the same depth.

const { ca, server, named } = makeCertificates("alice", "bob", "carol");
const elsewhere = makeCertificates("alice").named["alice"]!;
const [alice, bob, carol] = ["alice", "bob", "carol"].map((name) => named[name]!) as [Shown, Shown, Shown];
type Shown = (typeof named)[string];

const bed = await startFixtures();
/** Over TLS: a caller without a certificate is refused by an answer, or in the handshake already. */
const overTls = (rejectUnauthorized: boolean): Promise<Testbed> =>
  startTestbed({
    host: "127.0.0.1",
    port: 0,
    version: "test",
    timeScale,
    tls: { ...server, ca, requestCert: true, rejectUnauthorized },
  });
const [asking, insisting] = [await overTls(false), await overTls(true)];
afterAll(() => Promise.all([bed, asking, insisting].map((each) => each.close(0))));

const basic = (name: string): string => Buffer.from(`${name}:${name}-password`).toString("base64");
const headers = (write: (name: string) => readonly [string, string]) => async (): Promise<Partial<TestOptions>> => ({
  headers: [write("alice")],
  principals: { second: { headers: [write("bob")] }, restricted: { headers: [write("carol")] } },
});

const byCertificate = async (): Promise<Partial<TestOptions>> => ({
  headers: [],
  connection: { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }), tls: { ca, ...alice } },
  principals: {
    second: { headers: [], certificate: bob },
    restricted: { headers: [], certificate: carol },
    invalid: { "a certificate of another authority": { headers: [], certificate: elsewhere } },
  },
});

interface Kind {
  /** what the operator says of the three */
  readonly logins: () => Promise<Partial<TestOptions>>;
  /** where they are known by it; `/secure` unless given */
  readonly path?: string;
  readonly at?: Testbed;
  /** all, unless given */
  readonly bindings?: readonly Binding[];
  /** rules about callers that cannot be seen with it; all others are examined */
  readonly unseen?: readonly string[];
  /** what is asked of the others is asked of it by `npm run prove` alone */
  readonly long?: true;
}

const overHttp: readonly Binding[] = ["JSONRPC", "HTTP+JSON"];
const everyBinding: readonly Binding[] = [...overHttp, "GRPC"];

const kinds: Readonly<Record<string, Kind>> = {
  "an API key": { logins: headers((name) => ["X-API-Key", `${name}-key`]), long: true },
  "an API key in the address": {
    path: "variants/key-in-query",
    bindings: overHttp,
    logins: async () => ({
      headers: [],
      query: [["key", "alice-key"]],
      principals: {
        second: { headers: [], query: [["key", "bob-key"]] },
        restricted: { headers: [], query: [["key", "carol-key"]] },
      },
    }),
    long: true,
  },
  "an API key in a cookie": {
    path: "variants/key-in-cookie",
    bindings: overHttp,
    logins: headers((name) => ["Cookie", `agent-key=${name}-key`]),
    long: true,
  },
  Basic: { logins: headers((name) => ["Authorization", `Basic ${basic(name)}`]), long: true },
  // Which the proof of /secure shows in every other test.
  "an opaque Bearer token": { logins: headers((name) => ["Authorization", `Bearer ${name}-token`]), long: true },
  "OAuth client credentials": { logins: () => tokenLogins(bed) },
  "an OAuth authorisation code": {
    logins: async () => ({
      ...shownToken(await codeToken(bed, "alice")),
      principals: {
        second: shownToken(await codeToken(bed, "bob")),
        restricted: shownToken(await codeToken(bed, "carol")),
      },
    }),
    long: true,
  },
  // A certificate belongs to the connection, so it is not shown request by request.
  "a client certificate": { at: asking, logins: byCertificate, unseen: ["AUTH-019"], long: true },
  // Who is refused in the handshake is told nothing, and shows nothing that could be repeated.
  "a client certificate, without which there is no connection": {
    at: insisting,
    logins: byCertificate,
    unseen: ["AUTH-008", "AUTH-009", "AUTH-019", "AUTH-020", "AUTH-021"],
  },
};

/** What is about callers, and what keeps them apart. */
const isAboutCallers = (rule: string): boolean =>
  /^(AUTH-\d+|ERR-008|ERR-009|ERR-01[01]|PUSH-012|XCARD-00[37])$/.test(rule);
/** What makes forty guesses is made by `npm run prove`. */
const aboutCallers = checks.map(({ id }) => id).filter((id) => isAboutCallers(id) && id !== "AUTH-021");
const ofProduction = ["AUTH-001", "AUTH-002", "AUTH-003"];

/** On one binding each, in turn; with `npm run prove` on all. */
const rows = Object.entries(kinds)
  .filter(([, { long }]) => provesAll || !long)
  .flatMap(([kind, { logins, at = bed, path = "secure", bindings = everyBinding, unseen = [] }], index) => {
    const tried = provesAll ? bindings : [bindings[index % bindings.length]!];
    return tried.map((binding) => ({ kind, logins, at, path, binding, unseen }));
  });

describe.concurrent("callers of /secure", () => {
  test.each(rows)("by $kind, over $binding", { timeout: 600_000 }, async ({ logins, at, path, binding, unseen }) => {
    const { results, report } = await prove(at, path, {
      base: "secure",
      binding,
      dialect: "1.0",
      ...(!provesAll && { only: aboutCallers }),
      more: await logins(),
    });
    expect(results.filter(({ verdict }) => verdict === "fail").map(line)).toEqual([]);
    expect(report.outcome).toBe("conformant");
    const left = results.filter(({ test: rule, verdict }) => isAboutCallers(rule) && verdict !== "pass");
    expect(left.filter(({ test: rule }) => !ofProduction.includes(rule) && !unseen.includes(rule)).map(line)).toEqual(
      [],
    );
  });
});

test("an agent that takes certificates of any authority is caught", async () => {
  const { results } = await prove(asking, "mutants/AUTH-007.any-certificate", {
    base: "secure",
    only: ["AUTH-006", "AUTH-007"],
    binding: "HTTP+JSON",
    dialect: "1.0",
    more: await byCertificate(),
  });
  expect(results.map(({ test: rule, verdict, message }) => [rule, verdict, message])).toEqual([
    ["AUTH-006", "pass", undefined],
    ["AUTH-007", "fail", "ListTasks succeeds with bad credentials (a certificate of another authority)"],
  ]);
});

/** Made of the user's own token, and given by the operator; `npm run prove` has all of them on every binding. */
const careless = ["expired-token", ...(provesAll ? ["unverified-token", "unsigned-token"] : [])];

describe.concurrent("an agent that does not look at tokens closely", () => {
  test.each(careless)("AUTH-007.%s is caught, and its tokens are nowhere to be read", async (id) => {
    const { results, events } = await prove(bed, `mutants/AUTH-007.${id}`, {
      base: "secure",
      only: ["AUTH-007"],
      binding: "JSONRPC",
      dialect: "1.0",
    });
    expect(results.map(({ verdict, message }) => [verdict, message])).toEqual([
      ["fail", expect.stringContaining("ListTasks succeeds with bad credentials (")],
    ]);
    // A part of a token is what its claims are, and as good as the token to those who can sign.
    expect(JSON.stringify(events)).not.toMatch(/eyJ[\w-]{20,}/);
  });
});

describe.concurrent("a login that is not good", () => {
  const short = provesAll ? {} : { only: aboutCallers };

  test("of the other principals causes no accusation, and its rules are not examined", {
    timeout: 600_000,
  }, async () => {
    const wrong = { headers: [["Authorization", "Bearer no-longer"]] as const };
    const { results } = await prove(bed, "secure", {
      base: "secure",
      binding: "JSONRPC",
      dialect: "1.0",
      ...short,
      more: { principals: { second: wrong, restricted: wrong } },
    });
    expect(results.filter(({ verdict }) => verdict === "fail").map(line)).toEqual([]);
    const rests = results.filter(({ test: rule }) => /^(AUTH-01[0-6]|ERR-008|ERR-009|ERR-01[01]|PUSH-012)$/.test(rule));
    expect(rests.length).toBeGreaterThan(8);
    expect(rests.filter(({ unexamined }) => unexamined !== "credentials").map(line)).toEqual([]);
  });

  test("any more in the middle of a run causes no accusation", { timeout: 600_000 }, async () => {
    let shown = 0;
    const front = await startFront(`${bed.url}/secure`, ({ headers }, response) => {
      if (headers.authorization !== "Bearer alice-token" || ++shown < 30) return false;
      response.writeHead(401, { "Content-Type": "application/json", "WWW-Authenticate": "Bearer" });
      response.end('{"error":"invalid_token"}');
      return true;
    });
    try {
      const { results } = await prove(bed, "secure", {
        base: "secure",
        binding: "JSONRPC",
        dialect: "1.0",
        ...(!provesAll && { only: ["AUTH-*", "GET-*", "SEND-*", "LIST-*", "CANCEL-*", "STREAM-*"] }),
        more: { url: front.url },
      });
      expect(results.filter(({ verdict }) => verdict === "fail" || verdict === "blocked").map(line)).toEqual([]);
      expect(
        results.some(
          ({ unexamined, message }) => unexamined === "credentials" && /rejects the credentials of/.test(message!),
        ),
      ).toBe(true);
    } finally {
      await front.close();
    }
  });
});
