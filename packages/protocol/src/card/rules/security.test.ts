import { describe, expect, test } from "vitest";
import v03 from "../../../examples/v0.3/card.json" with { type: "json" };
import minimal from "../../../examples/v1.0/card.minimal.json" with { type: "json" };
import { lintCard } from "../lint.ts";

/** Level, place and rule of each finding, in one line. */
const lint = (json: unknown) => lintCard(json).map(({ level, path, rule }) => `${level} ${path} ${rule ?? "-"}`);
const withCard = (change: Record<string, unknown>) => lint({ ...minimal, ...change });

const skill = minimal.skills[0]!;
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

describe("security", () => {
  const needing = (name: string) => [{ schemes: { [name]: {} } }];
  const withScheme = (scheme: unknown) =>
    withCard({ securitySchemes: { k: scheme }, securityRequirements: needing("k") });
  const k = "$.securitySchemes.k";
  const token = { tokenUrl: "https://id.example/token", scopes: {} };
  const oauth = (flows: unknown) => ({ oauth2SecurityScheme: { flows } });

  test.each([
    [{ type: "http", scheme: "bearer" }, [`error ${k} CARD-026`, `info ${k} LEG-005`]],
    [
      { apiKeySecurityScheme: { in: "header", name: "X" } },
      [`error ${k}.apiKeySecurityScheme.location CARD-027`, `info ${k}.apiKeySecurityScheme.in EXT-013`],
    ],
    [{ apiKeySecurityScheme: { location: "body", name: "X" } }, [`error ${k}.apiKeySecurityScheme.location CARD-027`]],
    [{ httpAuthSecurityScheme: { scheme: "Token" } }, [`warning ${k}.httpAuthSecurityScheme.scheme CARD-028`]],
    [{ httpAuthSecurityScheme: { scheme: "bearer" } }, []],
    [
      { openIdConnectSecurityScheme: { openIdConnectUrl: "id" } },
      [`error ${k}.openIdConnectSecurityScheme.openIdConnectUrl CARD-033`],
    ],
    [oauth({ clientCredentials: token }), []],
    [
      oauth({ clientCredentials: { tokenUrl: token.tokenUrl } }),
      [`warning ${k}.oauth2SecurityScheme.flows.clientCredentials.scopes CARD-031`],
    ],
    [
      oauth({ clientCredentials: { ...token, scopes: ["a"] } }),
      [`error ${k}.oauth2SecurityScheme.flows.clientCredentials.scopes CARD-031`],
    ],
    [
      oauth({ clientCredentials: { ...token, tokenUrl: "/token" } }),
      [`error ${k}.oauth2SecurityScheme.flows.clientCredentials.tokenUrl CARD-031`],
    ],
    [oauth({ password: token }), [`warning ${k}.oauth2SecurityScheme.flows.password CARD-034`]],
    [oauth({}), [`warning ${k}.oauth2SecurityScheme.flows CARD-029`]],
    [
      oauth({ clientCredentials: token, deviceCode: { ...token, deviceAuthorizationUrl: "https://id.example/d" } }),
      [`warning ${k}.oauth2SecurityScheme.flows CARD-029`],
    ],
    [
      { oauth2SecurityScheme: { flows: { clientCredentials: token }, oauth2MetadataUrl: "http://id.example/" } },
      [`error ${k}.oauth2SecurityScheme.oauth2MetadataUrl CARD-035`],
    ],
    [{ scheme: { $case: "mtlsSecurityScheme", value: {} } }, [`error ${k}.scheme CARD-026`]],
  ])("%j", (scheme, expected) => expect(withScheme(scheme).filter((line) => !line.includes("SIG-"))).toEqual(expected));

  const bearer = { httpAuthSecurityScheme: { scheme: "Bearer" } };

  test.each([
    [{ securityRequirements: needing("k") }, ["error $.securityRequirements[0] CARD-037"]],
    [
      { skills: [{ ...skill, securityRequirements: needing("k") }] },
      ["error $.skills[0].securityRequirements[0] CARD-038"],
    ],
    [{ securitySchemes: { k: bearer } }, ["warning $.securitySchemes CARD-036"]],
    [
      { securitySchemes: { k: bearer }, capabilities: { extendedAgentCard: true } },
      ["info $.securitySchemes CARD-036"],
    ],
    [{ securitySchemes: { k: bearer }, security: [{ k: [] }] }, ["warning $.security CARD-036"]],
    [{ capabilities: { extendedAgentCard: true } }, ["warning $.capabilities.extendedAgentCard XCARD-004"]],
    [{ securityRequirements: needing("constructor") }, ["error $.securityRequirements[0] CARD-037"]],
  ])("%j", (change, expected) => expect(withCard(change)).toEqual(expected));

  test("an older card's requirements are held against its schemes too", () => {
    expect(lint({ ...v03, security: [{ nobody: [] }] })).toEqual(["error $.security[0] CARD-037", "info $ CARD-006"]);
  });
});

describe("secrets", () => {
  // Assembled here, so that no scanner takes this file for a leak.
  test.each([
    ["a private key", `-----BEGIN ${"PRIVATE KEY"}-----\nMIIB`],
    ["a JSON Web Token", `token ${encode({ alg: "RS256" })}.${encode({ sub: "somebody" })}.c2lnbmF0dXJl`],
    ["a bearer token", `Authorization: Bearer ${"abc123".repeat(5)}`],
    ["an AWS access key", `AKIA${"ABCD1234".repeat(2)}`],
    ["a GitHub token", `ghp_${"a1".repeat(18)}`],
    ["a secret key", `use sk-${"a1b2".repeat(6)} please`],
    ["an API key in a query", `https://h/?api_key=${"a1b2".repeat(4)}`],
    ["a password in a URL", "https://user:pass@internal.example/"],
  ])("%s is named and not repeated", (what, description) => {
    const [finding, ...more] = lintCard({ ...minimal, description });
    expect(more).toEqual([]);
    expect(finding).toEqual({
      level: "warning",
      code: "secret",
      path: "$.description",
      message: `looks like it contains ${what}; a public card must not contain credentials`,
      fix: expect.any(String),
      rule: "CARD-039",
    });
  });

  test.each([
    "Send a Bearer token in the Authorization header.",
    "sk-learn-based-classifier-for-text",
    "https://user@h/",
  ])("%s is none", (description) => expect(withCard({ description })).toEqual([]));
});

describe("signatures and signed bytes", () => {
  const signed = (header: unknown, signature = "AAAA") => ({ signatures: [{ protected: encode(header), signature }] });
  const good = { alg: "ES256", kid: "k", typ: "JOSE" };

  test.each([
    [signed(good), []],
    [signed({ ...good, alg: "none" }), ["error $.signatures[0] SIG-003"]],
    [signed({ ...good, kid: "" }), ["error $.signatures[0] SIG-004"]],
    [signed({ ...good, typ: "JWT" }), ["warning $.signatures[0] SIG-005"]],
    [signed({ ...good, jku: "http://k.example/" }), ["warning $.signatures[0] SIG-006"]],
    [signed(good, "AA=="), ["warning $.signatures[0] SIG-002"]],
    [{ signatures: [{ signature: "AAAA" }] }, ["error $.signatures[0] SIG-002"]],
    [{ provider: undefined, documentationUrl: "", securitySchemes: {} }, ["info $.securitySchemes SIG-012"]],
    [{ ...signed(good), securitySchemes: {} }, ["warning $.securitySchemes SIG-012"]],
    [{ ...signed(good), capabilities: { streaming: false } }, ["info $.capabilities.streaming SIG-010"]],
    [{ ...signed(good), xMood: 1 }, ["info $.xMood EXT-013", "info $.xMood SIG-014"]],
  ])("%j", (change, expected) => expect(withCard(change)).toEqual(expected));
});
