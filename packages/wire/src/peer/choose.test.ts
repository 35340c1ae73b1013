import type { CardInterface } from "@assay/protocol";
import { expect, test } from "vitest";
import { chooseInterface } from "./choose.ts";

const at = (binding: string, url: string, more: Partial<CardInterface> = {}): CardInterface => ({
  url,
  binding,
  dialect: "1.0",
  path: "$",
  ...more,
});

const card = [
  at("https://example.com/carrier-pigeon", "coo"),
  at("JSONRPC", "https://agent.test/old", { dialect: "0.3" }),
  at("GRPC", "agent.test:50051"),
  at("HTTP+JSON", "https://agent.test/rest", { tenant: "acme" }),
  at("JSONRPC", "https://agent.test/rpc"),
];

test("the card's order decides among what we speak", () => {
  expect(chooseInterface(card)).toEqual({ binding: "GRPC", url: "http://agent.test:50051/" });
  expect(chooseInterface(card.toReversed())).toEqual({ binding: "JSONRPC", url: "https://agent.test/rpc" });
});

test.each([
  [{ binding: "JSONRPC" }, { binding: "JSONRPC", url: "https://agent.test/rpc" }],
  [{ tenant: "acme" }, { binding: "HTTP+JSON", url: "https://agent.test/rest", tenant: "acme" }],
  [{ binding: "GRPC", tenant: "acme" }, undefined],
  [{ binding: "SMTP" }, undefined],
])("%j is kept to", (wanted, chosen) => {
  expect(chooseInterface(card, wanted)).toEqual(chosen);
});

test("a gRPC address that nobody could dial is passed over", () => {
  const [, , , rest] = card;
  expect(chooseInterface([at("GRPC", "unix:///tmp/a.sock"), rest!])?.binding).toBe("HTTP+JSON");
});

test("a card without an interface for us has none", () => {
  expect(chooseInterface(card.slice(0, 2))).toBe(undefined);
});
