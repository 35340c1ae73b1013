import fc from "fast-check";
import { describe, expect, test } from "vitest";
import hybrid from "../../examples/hybrid/card.v1.0+v0.3.json" with { type: "json" };
import v01 from "../../examples/v0.1/card.json" with { type: "json" };
import v02 from "../../examples/v0.2/card.json" with { type: "json" };
import v03 from "../../examples/v0.3/card.json" with { type: "json" };
import v10 from "../../examples/v1.0/card.json" with { type: "json" };
import minimal from "../../examples/v1.0/card.minimal.json" with { type: "json" };
import { validate } from "../schemas/validate.ts";
import { normaliseCard } from "./normalise.ts";

const dialectsOf = (json: unknown) => normaliseCard(json).dialects.map(({ dialect }) => dialect);
const reachOf = (json: unknown) =>
  normaliseCard(json).interfaces.map(({ url, binding, dialect, tenant }) => [dialect, binding, url, tenant]);

describe("the dialects a card is evidence for", () => {
  const old = { name: "n", url: "http://h/", version: "1", capabilities: {} };
  const modern = { ...old, defaultInputModes: ["text/plain"], skills: [{ id: "s", name: "S", tags: ["t"] }] };
  const listing = (...versions: unknown[]) => ({
    supportedInterfaces: versions.map((protocolVersion) => ({
      url: "http://h/",
      protocolBinding: "JSONRPC",
      protocolVersion,
    })),
  });

  test.each([
    ["the 0.1 example", v01, ["0.1"]],
    ["the 0.2 example", v02, ["0.2"]],
    ["the 0.3 example", v03, ["0.3"]],
    ["the 1.0 example, which lists a 0.3 interface", v10, ["1.0", "0.3"]],
    ["the minimal 1.0 example", minimal, ["1.0"]],
    ["the superset example", hybrid, ["1.0", "0.3"]],
    ["a patch number", listing("1.0.1"), ["1.0"]],
    ["a list in snake_case", { supported_interfaces: [{ protocol_version: "1.0" }] }, ["1.0"]],
    ["an interface without a version", listing(undefined), ["1.0"]],
    ["a version nobody knows", listing("7.0", "1.05", 3), ["1.0"]],
    ["a version that cannot become text", listing([{ toString: 1 }], { toString: 1 }, "1.0"), ["1.0"]],
    ["0.3 listed first", listing("0.3", "1.0"), ["0.3", "1.0"]],
    ["a superset without a version", { ...listing("1.0"), url: "http://h/" }, ["1.0", "0.3"]],
    ["1.0 claimed at the top of an older card", { ...modern, protocolVersion: "1.0" }, ["1.0"]],
    ["signatures", { ...modern, signatures: [{}] }, ["0.3"]],
    ["signatures against the version", { ...modern, protocolVersion: "0.2.5", signatures: [{}] }, ["0.2", "0.3"]],
    ["a skill with security", { ...modern, skills: [{ tags: [], security: [] }] }, ["0.3"]],
    ["mutual TLS", { ...modern, securitySchemes: { m: { type: "mutualTLS" } } }, ["0.3", "0.2"]],
    ["a transport without a version", { ...modern, preferredTransport: "GRPC" }, ["0.3"]],
    ["schemes without a version", { ...modern, securitySchemes: {} }, ["0.2"]],
    ["authentication", { ...modern, authentication: { schemes: "OAuth2" } }, ["0.1"]],
    ["no default modes", old, ["0.1"]],
    ["a skill without tags", { ...modern, skills: [{ id: "s" }] }, ["0.1"]],
    ["nothing but url", modern, ["0.2"]],
    ["no address at all", { name: "n" }, []],
    [
      "a card of 0.3 without its address",
      { name: "n", protocolVersion: "0.3.0", preferredTransport: "JSONRPC" },
      ["0.3"],
    ],
    ["a card of 0.1 without its address", { name: "n", authentication: { schemes: ["Bearer"] } }, ["0.1"]],
    ["an address that is none", { ...modern, url: null }, ["0.2"]],
    ["older members beside an empty list", { name: "n", supportedInterfaces: [], preferredTransport: "GRPC" }, []],
    ["more older members than that", { supportedInterfaces: [], url: 7, protocolVersion: "0.3.0" }, ["0.3"]],
    ["requirements of 1.0 without an interface", { name: "n", securityRequirements: [], url: null }, []],
    ["a version as a number", { ...modern, protocolVersion: 0.3 }, ["0.3"]],
    ["a version with a letter", { ...modern, protocolVersion: "v0.3.0" }, ["0.3"]],
  ])("%s", (_, card, expected) => expect(dialectsOf(card)).toEqual(expected));

  test("each says why", () => {
    expect(normaliseCard(v03).dialects).toEqual([
      { dialect: "0.3", because: 'protocolVersion "0.3.0" at the top of its card' },
    ]);
    expect(normaliseCard(hybrid).dialects).toEqual([
      { dialect: "1.0", because: 'supportedInterfaces[0] says protocolVersion "1.0"' },
      { dialect: "0.3", because: 'supportedInterfaces[3] says protocolVersion "0.3"' },
    ]);
  });
});

describe("the interfaces", () => {
  test("a 1.0 card's, in its own order, with tenants", () => {
    const expected = [
      ["1.0", "JSONRPC", "http://127.0.0.1:7110/rpc", undefined],
      ["1.0", "HTTP+JSON", "http://127.0.0.1:7110/rest", undefined],
      ["1.0", "GRPC", "127.0.0.1:7190", "north-sea"],
      ["0.3", "JSONRPC", "http://127.0.0.1:7110/rpc", undefined],
    ];
    expect(reachOf(v10)).toEqual(expected);
    expect(reachOf(hybrid)).toEqual(expected);
  });

  test("an older card's: the main pair, then the additional ones, each once", () => {
    expect(reachOf(v03)).toEqual([
      ["0.3", "JSONRPC", "http://127.0.0.1:7103/a2a", undefined],
      ["0.3", "HTTP+JSON", "http://127.0.0.1:7103/rest", undefined],
      ["0.3", "GRPC", "127.0.0.1:7193", undefined],
    ]);
    expect(reachOf(v01)).toEqual([["0.1", "JSONRPC", "http://127.0.0.1:7101/", undefined]]);
  });

  test("a legacy pair that the list does not have is worth a try too", () => {
    expect(reachOf({ ...minimal, url: "http://old/", preferredTransport: "HTTP+JSON" })).toEqual([
      ["1.0", "JSONRPC", "http://127.0.0.1:7110/rpc", undefined],
      ["0.3", "HTTP+JSON", "http://old/", undefined],
    ]);
  });

  test("an unknown version leaves the dialect open, and an empty tenant is none", () => {
    const entry = { url: "http://h/", protocolBinding: "JSONRPC", protocolVersion: "2.0", tenant: "" };
    expect(normaliseCard({ supportedInterfaces: [entry] }).interfaces).toEqual([
      { url: "http://h/", binding: "JSONRPC", dialect: undefined, path: "$.supportedInterfaces[0]" },
    ]);
  });
});

describe("the canonical card", () => {
  test("a good card comes back as it was, without a finding", () => {
    expect(normaliseCard(v10)).toMatchObject({ card: v10, findings: [] });
  });

  test("legacy members of a superset card are left behind", () => {
    const { card, findings } = normaliseCard(hybrid);
    expect(validate("AgentCard", card)).toEqual([]);
    expect(findings).toEqual([]);
  });

  test("an older card is told in the words of 1.0", () => {
    const { card } = normaliseCard(v03);
    expect([card?.name, card?.supportedInterfaces[0]?.protocolVersion]).toEqual([v03.name, "0.3"]);
  });

  test("logins that a card of 0.2 names as 0.1 did are read", () => {
    const { securitySchemes: _schemes, security: _security, ...rest } = v02;
    const { card } = normaliseCard({ ...rest, authentication: { schemes: ["Bearer", 7] } });
    expect([card?.securitySchemes, card?.securityRequirements]).toEqual([
      { Bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
      [{ schemes: { Bearer: { list: [] } } }],
    ]);
  });

  test("snake_case and null are read as ProtoJSON allows", () => {
    const { defaultInputModes: modes, ...rest } = minimal;
    const { card } = normaliseCard({ ...rest, default_input_modes: modes, provider: null });
    expect(card).toEqual(minimal);
  });

  test("the in-memory dump of the JS SDK is understood, and reported", () => {
    const flow = { tokenUrl: "https://id.example/token", scopes: {} };
    const { card, findings } = normaliseCard({
      ...minimal,
      securitySchemes: {
        k: { scheme: { $case: "apiKeySecurityScheme", value: { location: "header", name: "X-Key", description: "" } } },
        o: {
          scheme: {
            $case: "oauth2SecurityScheme",
            value: { flows: { flow: { $case: "clientCredentials", value: flow } } },
          },
        },
      },
    });
    expect(card?.securitySchemes).toEqual({
      k: { apiKeySecurityScheme: { location: "header", name: "X-Key", description: "" } },
      o: { oauth2SecurityScheme: { flows: { clientCredentials: flow } } },
    });
    expect(findings.map(({ level, path, rule }) => [level, path, rule])).toEqual([
      ["error", "$.securitySchemes.k.scheme", "CARD-026"],
      ["error", "$.securitySchemes.o.scheme", "CARD-026"],
      ["error", "$.securitySchemes.o.oauth2SecurityScheme.flows.flow", "CARD-026"],
    ]);
  });

  test.each([
    ["the OpenAPI form", [{ k: ["read"] }]],
    ["the form of the 0.3 proto", [{ schemes: { k: { list: ["read"] } } }]],
  ])("`security` is read in place of securityRequirements: %s", (_, security) => {
    const [skill] = minimal.skills;
    const { card, findings } = normaliseCard({ ...minimal, security, skills: [{ ...skill, security }] });
    const expected = [{ schemes: { k: { list: ["read"] } } }];
    expect(card).toMatchObject({ securityRequirements: expected, skills: [{ securityRequirements: expected }] });
    expect(findings.map(({ level, path, rule }) => [level, path, rule])).toEqual([
      ["warning", "$.security", "CARD-036"],
      ["warning", "$.skills[0].security", "CARD-038"],
    ]);
  });

  test("securityRequirements in the OpenAPI form are read, and reported", () => {
    const { card, findings } = normaliseCard({ ...minimal, securityRequirements: [{ k: [] }] });
    expect(card?.securityRequirements).toEqual([{ schemes: { k: { list: [] } } }]);
    expect(findings).toMatchObject([{ level: "error", path: "$.securityRequirements", rule: "CARD-036" }]);
  });

  test("a requirement without `list` is no finding", () => {
    const { card, findings } = normaliseCard({ ...minimal, securityRequirements: [{ schemes: { k: {} } }] });
    expect(card?.securityRequirements).toEqual([{ schemes: { k: {} } }]);
    expect(findings).toEqual([]);
  });

  test("members of a wrong type are left out, required ones read as empty, and each is named", () => {
    const { card, findings } = normaliseCard({ ...minimal, name: 7, skills: [{ id: "s" }, "x"], iconUrl: [] });
    expect(card).toMatchObject({ name: "", skills: [{ id: "s", name: "", description: "", tags: [] }] });
    expect(card).not.toHaveProperty("iconUrl");
    expect(findings.map(({ path, message }) => `${path} ${message}`)).toEqual([
      "$.name is not a string; ignored",
      "$.skills[0].name is required and missing; read as empty",
      "$.skills[0].description is required and missing; read as empty",
      "$.skills[0].tags is required and missing; read as empty",
      "$.skills[1] is not an object; ignored",
      "$.iconUrl is not a string; ignored",
    ]);
  });
});

describe("hostile documents", () => {
  test("5,000 interfaces are cut, and said so", () => {
    const entry = (index: number) => ({ url: `http://h/${index}`, protocolBinding: "JSONRPC", protocolVersion: "1.0" });
    const supportedInterfaces = Array.from({ length: 5000 }, (_, index) => entry(index));
    const { interfaces, findings } = normaliseCard({ ...minimal, supportedInterfaces });
    expect(interfaces).toHaveLength(100);
    expect(findings).toMatchObject([{ level: "warning", path: "$.supportedInterfaces" }]);
  });

  test("a document deeper than any stack is cut, and said so", () => {
    let deep: unknown = "bottom";
    for (let level = 0; level < 100_000; level++) deep = level % 2 ? [deep] : { deep };
    const { card, findings } = normaliseCard({
      ...minimal,
      capabilities: { extensions: [{ uri: "u:v1", params: { deep } }] },
    });
    expect(card?.name).toBe(minimal.name);
    expect(findings).toMatchObject([{ level: "error", message: expect.stringContaining("deeper than 100 levels") }]);
  });

  test("a document that contains itself twice is cut by size", () => {
    const knot: Record<string, unknown> = { ...minimal };
    knot["a"] = knot;
    knot["b"] = knot;
    expect(normaliseCard(knot).findings).toMatchObject([{ level: "error" }, { level: "error" }]);
  });

  test("a member named __proto__ is a member", () => {
    const json = JSON.parse(
      '{"__proto__": {"name": "x"}, "securitySchemes": {"__proto__": {"scheme": {"$case": "__proto__"}}}}',
    );
    const { card } = normaliseCard(json);
    expect(card?.name).toBe("");
    expect(Object.getPrototypeOf(card?.securitySchemes)).toBe(Object.prototype);
  });

  test.each([undefined, null, 5, "<html>", [minimal]])("%j is no card", (json) => {
    expect(normaliseCard(json)).toMatchObject({
      card: undefined,
      dialects: [],
      interfaces: [],
      findings: [{ level: "error", rule: "CARD-002" }],
    });
  });

  test("wrong types in any place neither throw nor reach the canonical card", () => {
    const wrong = fc.record(
      Object.fromEntries(Object.keys({ ...hybrid, ...v10 }).map((name) => [name, fc.jsonValue()])),
      {
        requiredKeys: [],
      },
    );
    fc.assert(
      fc.property(wrong, (json) => {
        const { card } = normaliseCard({ ...v10, ...json });
        const codes = validate("AgentCard", card ?? v10).map(({ code }) => code);
        expect(codes.filter((code) => code === "wrong-type" || code === "null")).toEqual([]);
      }),
    );
  });
});
