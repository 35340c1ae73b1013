import { readFileSync } from "node:fs";
import type { JsonObject, JsonValue } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { type CardAge, lintOlderCard } from "./older-lint.ts";

const example = (name: string): JsonObject =>
  JSON.parse(readFileSync(new URL(`../../../../protocol/examples/${name}`, import.meta.url), "utf8")) as JsonObject;

const v03: CardAge = { dialect: "0.3", release: "0.3.0" };

/** What is wrong or doubtful, without what is worth knowing only. */
const told = (card: JsonObject, age: CardAge = v03): string[] =>
  lintOlderCard(card, age).flatMap(({ level, path, rule }) => (level === "info" ? [] : [`${level} ${path} ${rule}`]));

const good: JsonObject = {
  name: "An agent",
  description: "Does things.",
  version: "1.0.0",
  url: "https://agent.example/a2a",
  protocolVersion: "0.3.0",
  preferredTransport: "JSONRPC",
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "do", name: "Do", description: "Does it.", tags: ["doing"] }],
};

const with03 = (change: Record<string, JsonValue | undefined>): JsonObject =>
  JSON.parse(JSON.stringify({ ...good, ...change })) as JsonObject;
const scheme = (declared: JsonValue): JsonObject => with03({ securitySchemes: { "my.own": declared } });
const skill = (change: JsonObject): JsonObject =>
  with03({ skills: [{ ...(good["skills"] as JsonObject[])[0], ...change }] });

test.each<[string, CardAge]>([
  ["v0.3/card.json", v03],
  ["v0.2/card.json", { dialect: "0.2" }],
  ["v0.2/card.json", { dialect: "0.2", release: "0.2.6" }],
  ["hybrid/card.v1.0+v0.3.json", v03],
])("nothing is wrong with the example %s as %o", (name, age) => {
  expect(told(example(name), age).filter((line) => line.startsWith("error"))).toEqual([]);
});

describe("a card of 0.3", () => {
  test.each<[string, JsonObject, string[]]>([
    ["with all it needs", good, []],
    ["without a name", with03({ name: undefined }), ["error $.name CARD-003"]],
    ["with null for its name", with03({ name: null }), ["error $.name CARD-003"]],
    [
      "with null for what it need not have",
      with03({ iconUrl: null, provider: null }),
      ["warning $.provider CARD-024", "warning $.iconUrl CARD-041"],
    ],
    ["without an address", with03({ url: undefined }), ["error $.url V03-CARD-001"]],
    ["without a version", with03({ protocolVersion: undefined }), ["error $.protocolVersion V03-CARD-002"]],
    ["without a transport, which its schema lets out", with03({ preferredTransport: undefined }), []],
    [
      "with an interface as in 1.0",
      with03({ additionalInterfaces: [{ url: "https://a.example/", protocolBinding: "GRPC" }] }),
      ["error $.additionalInterfaces[0].transport V03-CARD-004"],
    ],
    [
      "with a transport called REST",
      with03({ preferredTransport: "REST" }),
      ["warning $.preferredTransport V03-CARD-005"],
    ],
    ["with a transport of its own", with03({ preferredTransport: "urn:example:pigeon" }), []],
    ["with a relative address", with03({ url: "/a2a" }), ["error $.url CARD-014"]],
    [
      "with a flag in quotes",
      with03({ capabilities: { streaming: "true" } }),
      ["error $.capabilities.streaming CARD-025"],
    ],
    [
      "with the flag of the extended card in quotes",
      with03({ supportsAuthenticatedExtendedCard: "yes" }),
      ["error $.supportsAuthenticatedExtendedCard CARD-025"],
    ],
    [
      "with an extended card and no way to log in",
      with03({ supportsAuthenticatedExtendedCard: true }),
      ["warning $.supportsAuthenticatedExtendedCard XCARD-004"],
    ],
    [
      "with an extension that is a text",
      with03({ capabilities: { extensions: ["urn:x:v1"] } }),
      ["error $.capabilities.extensions[0] EXT-001"],
    ],
    ["without skills", with03({ skills: undefined }), ["error $.skills CARD-010"]],
    ["with an empty list of skills", with03({ skills: [] }), ["warning $.skills CARD-010"]],
    [
      "with a skill without tags",
      with03({ skills: [{ id: "x", name: "X", description: "x" }] }),
      ["error $.skills[0].tags CARD-022"],
    ],
    ["with skill security in names", skill({ security: ["bearer"] }), ["error $.skills[0].security[0] V03-CARD-014"]],
    [
      "with skill security that nobody declares",
      skill({ security: [{ badge: [] }] }),
      ["warning $.skills[0].security[0] V03-CARD-014"],
    ],
    [
      "with security as in 1.0",
      with03({ security: [{ schemes: { k: { list: [] } } }], securitySchemes: { k: { type: "mutualTLS" } } }),
      ["error $.security[0].schemes V03-CARD-013"],
    ],
    ["with security that nobody declares", with03({ security: [{ badge: [] }] }), ["error $.security[0] CARD-037"]],
  ])("%s", (_name, card, expected) => expect(told(card)).toEqual(expected));

  test.each<[string, JsonValue, string[]]>([
    ["of each kind is fine", { type: "http", scheme: "bearer" }, []],
    ["wrapped as in 1.0 has no type", { httpAuthSecurityScheme: { scheme: "Bearer" } }, ["V03-CARD-008"]],
    ["in both forms is fine", { httpAuthSecurityScheme: { scheme: "Bearer" }, type: "http", scheme: "Bearer" }, []],
    ["of an unknown type", { type: "badge" }, ["V03-CARD-008"]],
    ["that is a text", "bearer", ["V03-CARD-008"]],
    ["by certificate", { type: "mutualTLS" }, []],
    ["by key without its place", { type: "apiKey", name: "X" }, ["V03-CARD-009"]],
    ["by HTTP without its scheme", { type: "http" }, ["V03-CARD-010"]],
    ["by OAuth without flows", { type: "oauth2" }, ["V03-CARD-011"]],
    [
      "by OAuth without the address of the token",
      { type: "oauth2", flows: { clientCredentials: { scopes: {} } } },
      ["V03-CARD-011"],
    ],
    ["by OpenID without its document", { type: "openIdConnect" }, ["V03-CARD-012"]],
    ["with metadata in clear", { type: "oauth2", flows: {}, oauth2MetadataUrl: "http://a.example/" }, ["CARD-035"]],
  ])("a scheme %s", (_name, declared, rules) => {
    expect(told(scheme(declared)).map((line) => line.replace(/^error .* /, ""))).toEqual(rules);
  });

  test("that is one of 1.0 as well is only warned of schemes in the form of 1.0", () => {
    const both = {
      ...scheme({ httpAuthSecurityScheme: { scheme: "Bearer" } }),
      supportedInterfaces: [{ url: "https://a.example/" }],
    };
    expect(told(both as JsonObject)).toEqual([expect.stringMatching(/^warning .* V03-CARD-008$/)]);
  });
});

describe("a card of 0.2", () => {
  const undated = with03({ protocolVersion: undefined });

  test.each<[string, CardAge, string[]]>([
    ["need not say its release before 0.2.5", { dialect: "0.2" }, []],
    ["has to from then on", { dialect: "0.2", release: "0.2.5" }, ["error $.protocolVersion V03-CARD-002"]],
  ])("%s", (_name, age, expected) => expect(told(undated, age)).toEqual(expected));

  test("that is ahead of its release by a certificate is only warned", () => {
    expect(told(scheme({ type: "mutualTLS" }), { dialect: "0.2", release: "0.2.6" })).toEqual([
      expect.stringMatching(/^warning .* V03-CARD-008$/),
    ]);
  });

  test.each(["0.2.9", "0.2", "0.2.16"])("of a release that never was (%s) is read as one that was", (release) => {
    expect(told(with03({ protocolVersion: release }), { dialect: "0.2", release })).toEqual([]);
  });
});
