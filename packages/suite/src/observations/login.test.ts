import type { JsonObject } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { factsOf } from "../card/agent-facts.ts";
import { loginOf, mayBeVouchedFor } from "./login.ts";

const factsWith = (card: JsonObject) => factsOf(card, "http://agent.test/card", []);

const securitySchemes = {
  key: { apiKeySecurityScheme: { location: "header", name: "X-Key" } },
  query: { apiKeySecurityScheme: { location: "query", name: "key" } },
  cookie: { apiKeySecurityScheme: { location: "cookie", name: "key" } },
  bearer: { httpAuthSecurityScheme: { scheme: "bearer" } },
  basic: { httpAuthSecurityScheme: { scheme: "Basic" } },
  oauth: { oauth2SecurityScheme: { flows: {} } },
  digest: { httpAuthSecurityScheme: { scheme: "Digest" } },
};

const requiring = (...names: (keyof typeof securitySchemes)[]): JsonObject => ({
  securitySchemes,
  securityRequirements: names.map((name) => ({ schemes: { [name]: { list: [] } } })),
});

describe("what a card asks of callers", () => {
  test.each<[string, JsonObject]>([
    ["there is nothing about it", {}],
    ["there are only schemes, as for an extended card", { securitySchemes }],
    ["the list of requirements is empty", { securitySchemes, securityRequirements: [] }],
    ["one requirement is empty", { ...requiring("key"), securityRequirements: [{ schemes: { key: {} } }, {}] }],
    ["one requirement has no schemes", { ...requiring("key"), securityRequirements: [{ schemes: {} }] }],
  ])("is nothing where %s", (_where, card) => {
    expect(loginOf(factsWith(card))).toBe(undefined);
  });

  test("is one of the schemes it requires, by the older name and form as well", () => {
    expect(loginOf(factsWith(requiring("key", "bearer")))?.map(({ scheme }) => scheme)).toEqual(["key", "bearer"]);
    const older = { securitySchemes, security: [{ bearer: [] }] };
    expect(loginOf(factsWith(older))?.map(({ scheme }) => scheme)).toEqual(["bearer"]);
  });

  test.each<[keyof typeof securitySchemes, string, RegExp]>([
    ["key", "X-Key", /^\S{20,}$/],
    ["bearer", "Authorization", /^Bearer \S{20,}$/],
    ["basic", "Authorization", /^Basic \S{20,}$/],
    ["oauth", "Authorization", /^Bearer \S{20,}$/],
    ["cookie", "Cookie", /^key=\S{20,}$/],
    ["query", "key", /^\S{20,}$/],
  ])("can be forged for %s", (name, field, value) => {
    const { headers, query } = loginOf(factsWith(requiring(name)))![0]!.forge!();
    const [forged] = name === "query" ? query! : headers!;
    expect(forged?.[0]).toBe(field);
    expect(forged?.[1]).toMatch(value);
  });

  test("cannot be forged for a scheme that is unknown to us", () => {
    expect(loginOf(factsWith(requiring("digest")))![0]!.forge).toBe(undefined);
  });

  test("is read as OpenAPI writes it, too, which versions before 1.0 do", () => {
    const older: JsonObject = {
      securitySchemes: {
        key: { type: "apiKey", in: "header", name: "X-Key" },
        cookie: { type: "apiKey", in: "cookie", name: "key" },
        bearer: { type: "http", scheme: "bearer" },
        oauth: { type: "oauth2", flows: {} },
      },
      security: [{ key: [] }, { cookie: [] }, { bearer: [] }, { oauth: [] }],
    };
    const ways = loginOf(factsWith(older))!.map(({ challenge, forge }) => [challenge, forge?.().headers?.[0]?.[0]]);
    expect(ways).toEqual([
      [undefined, "X-Key"],
      [undefined, "Cookie"],
      ["bearer", "Authorization"],
      ["Bearer", "Authorization"],
    ]);
  });

  test.each<[string, JsonObject, string, boolean]>([
    ["a certificate, in clear", { cert: { mtlsSecurityScheme: {} } }, "http", true],
    ["a certificate as OpenAPI has it, in clear", { cert: { type: "mutualTLS" } }, "http", true],
    ["a certificate, over TLS", { cert: { mtlsSecurityScheme: {} } }, "https", false],
    ["no certificate, in clear", securitySchemes, "http", false],
  ])("may be shown by what lies between: %s", (_, schemes, scheme, may) => {
    const on = { url: `${scheme}://agent.test`, binding: "JSONRPC", dialect: "1.0" } as const;
    expect(mayBeVouchedFor(factsWith({ securitySchemes: schemes }), on)).toBe(may);
  });
});
