import type { JsonObject } from "@assay/protocol";
import { expect, test } from "vitest";
import { factsOf } from "../../card/agent-facts.ts";
import { extendedCardHoldsNoSecrets } from "./extended.ts";

const found = (text: string, host: string, production = false): unknown => {
  const url = `http://${host}/a2a`;
  const card: JsonObject = {
    name: "Agent",
    description: text,
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  };
  const facts = factsOf(card, `http://${host}/.well-known/agent-card.json`, []);
  const on = { url, binding: "JSONRPC", dialect: "1.0" };
  // What a judge reads of an extended card and of its target.
  const seen = { extended: { call: {}, card } } as never;
  const findings = [extendedCardHoldsNoSecrets.judge(seen, { facts, on, production } as never)].flat() as {
    is: string;
    code?: string;
  }[];
  return findings.find(({ is }) => is === "breach")?.code ?? "holds";
};

test.each([
  "http://10.1.2.3:8080/",
  "postgres://db.internal:5432/orders",
  "http://169.254.10.1/",
  "http://printer.local",
  "(see http://[fd00::7]/)",
])("an agent at a public address should not name %s", (text) => {
  expect(found(`It asks ${text} first.`, "agent.example.com")).toBe("internal-address");
});

test.each(["http://127.0.0.1:9000/admin", "http://2130706433/"])(
  "%s is an example inside a sentence, and a leak on its own",
  (text) => {
    expect(found(`It asks ${text} first.`, "agent.example.com")).toBe("holds");
    expect(found(text, "agent.example.com")).toBe("internal-address");
  },
);

test.each([
  ["https://docs.example.com/", "agent.example.com"],
  ["http://agent.example.com/internal/local", "agent.example.com"],
  ["the internal service, db.internal", "agent.example.com"],
])("%s is no internal URL", (text, host) => {
  expect(found(text, host)).toBe("holds");
});

test("an agent within may name its neighbours, unless it is a production deployment", () => {
  expect(found("http://10.1.2.3/", "127.0.0.1:4000")).toBe("holds");
  expect(found("http://10.1.2.3/", "127.0.0.1:4000", true)).toBe("internal-address");
});

test("its own address is no secret, not even in production", () => {
  expect(found("http://localhost:4000/docs", "127.0.0.1:4000", true)).toBe("holds");
});
