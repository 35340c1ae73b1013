import { createHmac } from "node:crypto";
import { createEgressGuard } from "@assay/wire";
import { describe, expect, test } from "vitest";
import type { TestOptions } from "./options.ts";
import { tamperedTokens, withTamperedTokens } from "./tampered-token.ts";

const part = (json: object): string => Buffer.from(JSON.stringify(json)).toString("base64url");
const signed = `${part({ alg: "HS256", typ: "JWT", kid: "1" })}.${part({ sub: "alice" })}`;
const signatureOf = (text: string): string => createHmac("sha256", "k").update(text).digest("base64url");
const token = `${signed}.${signatureOf(signed)}`;

describe("a token that must be refused", () => {
  test("has other bytes for a signature, and the same claims", () => {
    const [changed] = tamperedTokens(token);
    const [head, claims, signature = ""] = changed!.token.split(".");
    expect(`${head}.${claims}`).toBe(signed);
    expect(Buffer.from(signature, "base64url")).not.toEqual(Buffer.from(signatureOf(signed), "base64url"));
    expect(Buffer.from(signature, "base64url")).toHaveLength(32);
  });

  test("says that it is not signed, and is not", () => {
    const [, unsigned] = tamperedTokens(token);
    const [head = "", claims, signature] = unsigned!.token.split(".");
    expect(JSON.parse(Buffer.from(head, "base64url").toString())).toEqual({ alg: "none", typ: "JWT", kid: "1" });
    expect([claims, signature]).toEqual([part({ sub: "alice" }), ""]);
  });

  test.each([
    "alice-token",
    "",
    `${token}.more.parts`,
    `${part({ typ: "JWT" })}.${part({})}.${"a".repeat(43)}`,
    `${part({ alg: "HS256" })}.not-json.${"a".repeat(43)}`,
    `${signed}.`,
  ])("is not made of %j", (other) => {
    expect(tamperedTokens(other)).toEqual([]);
  });
});

describe("the options of a run", () => {
  const options = (headers: NonNullable<TestOptions["headers"]>): TestOptions => ({
    url: "https://agent.test",
    run: "r",
    version: "test",
    connection: { guard: createEgressGuard({ trustedHosts: [] }), tls: { cert: "c", key: "k" } },
    headers,
    query: [["key", "q"]],
    secrets: [{ name: "bearer", value: token }],
  });
  const bearer = (value: string) => ["Authorization", `Bearer ${value}`] as const;

  test("gain callers that show everything else as it is, and what is to be masked", () => {
    const { principals, secrets = [] } = withTamperedTokens(options([["X-Org", "7"], bearer(token)]));
    const made = Object.values(principals?.invalid ?? {});
    expect(made).toHaveLength(2);
    for (const { headers, query, certificate, besides } of made) {
      expect([headers[0], query, certificate]).toEqual([["X-Org", "7"], [["key", "q"]], { cert: "c", key: "k" }]);
      expect(besides).toEqual({ headers: [["X-Org", "7"]], query, certificate });
      const shown = headers[1]![1].replace("Bearer ", "");
      expect(shown).not.toBe(token);
      expect(secrets.map(({ value }) => value)).toContain(shown);
    }
  });

  test.each([
    ["no token", []],
    ["an opaque one", [bearer("alice-token")]],
    ["two of them", [bearer(token), bearer(token)]],
    ["another scheme", [["Authorization", `Basic ${token}`] as const]],
  ])("stay as they are with %s", (_, headers) => {
    const given = options(headers);
    expect(withTamperedTokens(given)).toBe(given);
  });
});
