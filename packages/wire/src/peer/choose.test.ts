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
  at("HTTP+JSON", "https://agent.test/oldest", { dialect: "0.2" }),
  at("GRPC", "agent.test:50051"),
  at("HTTP+JSON", "https://agent.test/rest", { tenant: "acme" }),
  at("JSONRPC", "https://agent.test/rpc"),
  at("JSONRPC", "https://agent.test/old", { dialect: "0.3" }),
];

test("the card's order decides among what we speak", () => {
  expect(chooseInterface(card)).toEqual({ binding: "GRPC", dialect: "1.0", url: "http://agent.test:50051/" });
  expect(chooseInterface(card.toReversed())).toEqual({
    binding: "JSONRPC",
    dialect: "0.3",
    url: "https://agent.test/old",
  });
});

test.each([
  [{ binding: "JSONRPC" }, { binding: "JSONRPC", dialect: "1.0", url: "https://agent.test/rpc" }],
  [{ dialect: "0.3" }, { binding: "JSONRPC", dialect: "0.3", url: "https://agent.test/old" }],
  [{ tenant: "acme" }, { binding: "HTTP+JSON", dialect: "1.0", url: "https://agent.test/rest", tenant: "acme" }],
  [{ binding: "GRPC", tenant: "acme" }, undefined],
  [{ binding: "SMTP" }, undefined],
])("%j is kept to", (wanted, chosen) => {
  expect(chooseInterface(card, wanted)).toEqual(chosen);
});

test("a gRPC address that nobody could dial is passed over", () => {
  const [, , , rest] = card;
  expect(chooseInterface([at("GRPC", "unix:///tmp/a.sock"), rest!])?.binding).toBe("HTTP+JSON");
});

test.each(["htup://agent.test/rpc", "not a url", "/rpc"])(
  "an HTTP address that nobody can send to is passed over: %s",
  (url) => {
    expect(chooseInterface([at("JSONRPC", url), at("JSONRPC", "https://agent.test/rpc")])?.url).toBe(
      "https://agent.test/rpc",
    );
  },
);

test("a card without an interface for us has none", () => {
  expect(chooseInterface(card.slice(0, 2))).toBe(undefined);
});

test.each([
  ["JSONRPC", "http://0.0.0.0:9999/rpc", "http://agent.test:9999/rpc"],
  ["JSONRPC", "http://[::]:9999/rpc", "http://agent.test:9999/rpc"],
  ["GRPC", "0.0.0.0:50051", "http://agent.test:50051/"],
  ["JSONRPC", "http://10.0.0.1:9999/rpc", "http://10.0.0.1:9999/rpc"],
])("%s at %s is spoken to at %s: an address to listen on means the card's own host", (binding, url, spoken) => {
  expect(chooseInterface([at(binding, url)], {}, "https://agent.test/.well-known/agent-card.json")?.url).toBe(spoken);
});
