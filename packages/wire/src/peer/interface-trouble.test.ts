import { type JsonObject, normaliseCard } from "@assay/protocol";
import { expect, test } from "vitest";
import { interfaceTrouble } from "./interface-trouble.ts";

const listing = (url: string, protocolBinding: string, protocolVersion: string): JsonObject => ({
  name: "Agent",
  supportedInterfaces: [{ url, protocolBinding, protocolVersion }],
});

test.each<[string, JsonObject, string, boolean]>([
  [
    "no interface",
    { name: "Agent", supportedInterfaces: [] },
    "The card lists no interface, so clients cannot reach the agent",
    true,
  ],
  [
    "a binding of its own",
    listing("mail:a@b", "https://example.com/mail", "1.0"),
    "The card offers only bindings that Assay does not support: https://example.com/mail",
    false,
  ],
  [
    "a version to come",
    listing("http://agent.test/", "JSONRPC", "7.0"),
    "The card offers only versions that Assay does not support: 7.0",
    false,
  ],
  [
    "an address without a host",
    listing("/rpc", "JSONRPC", "1.0"),
    'is "/rpc"; JSONRPC needs an absolute http(s) URL',
    true,
  ],
])("%s", (_, card, message, isFault) => {
  expect(
    interfaceTrouble(
      { json: card, url: "http://agent.test/.well-known/agent-card.json" },
      normaliseCard(card).interfaces,
    ),
  ).toEqual({
    message: expect.stringContaining(message),
    hint: expect.any(String),
    isFault,
  });
});
