import { expect, test } from "vitest";
import { factsOf } from "../card/agent-facts.ts";
import { isForbidden } from "../checks/errors/expect.ts";
import type { Call } from "../define/call.ts";

const url = "http://127.0.0.1:1/";

/** The card of an agent with a login that declares this version. */
const facts = (protocolVersion: string) =>
  factsOf(
    {
      supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion }],
      securitySchemes: { key: { apiKeySecurityScheme: { location: "header", name: "X-Key" } } },
    },
    url,
    [],
  );

const refused = (code: number): Call =>
  ({
    on: { url, binding: "JSONRPC", dialect: "1.0" },
    reply: { is: "error", error: { code, message: "no", http: 200 } },
    exchange: { http: { response: { status: 200 } } },
  }) as Call;

test.each([
  ["the error of the draft, from an agent that declares it", -32010, "1.1", false],
  ["a private number of 1.0", -32010, "1.0", true],
  ["another private number", -32011, "1.1", true],
  ["the last private number", -32099, "1.0", true],
  ["an error of 1.0", -32009, "1.0", false],
] as const)("%s (%i) in %s: forbidden is %s", (_, code, version, expected) => {
  expect(isForbidden(refused(code), { facts: facts(version) })).toBe(expected);
});
