import { describe, expect, test } from "vitest";
import { agentFor } from "./agent-for.ts";
import { narrowedCard, offers } from "./narrowed-card.ts";
import { roundTrip } from "./run-chain.ts";

test.each([2, 3, 5, 9])("a walk among %i leads from each to each other one once, and back", (count) => {
  const places = Array.from({ length: count }, (_, index) => `s${index}`);
  const walk = roundTrip(places);
  const edges = walk.slice(1).map((to, index) => `${walk[index]}>${to}`);
  expect(new Set(edges)).toEqual(new Set(places.flatMap((a) => places.filter((b) => b !== a).map((b) => `${a}>${b}`))));
  expect(edges).toHaveLength(count * (count - 1));
  expect(walk[0]).toBe(walk.at(-1));
});

describe("a card with one interface left", () => {
  const one = { url: "http://127.0.0.1:1/", protocolBinding: "JSONRPC", protocolVersion: "1.0" };
  const other = { url: "127.0.0.1:2", protocolBinding: "GRPC", protocolVersion: "1.0" };
  const older = { url: "http://127.0.0.1:1/", protocolBinding: "JSONRPC", protocolVersion: "0.3.0" };

  test("in 1.0", () => {
    const card = { name: "a", supportedInterfaces: [one, other, older] };
    expect(narrowedCard(card, { binding: "GRPC", version: "1.0" })).toEqual({
      name: "a",
      supportedInterfaces: [other],
    });
    expect(narrowedCard(card, { binding: "JSONRPC", version: "0.3" })).toEqual({
      name: "a",
      supportedInterfaces: [older],
    });
    expect(offers(card, { binding: "GRPC", version: "0.3" })).toBe(false);
  });

  test("in 0.3, where one of them stands at the top", () => {
    const grpc = { url: "127.0.0.1:2", transport: "GRPC" };
    const card = { name: "a", url: "http://127.0.0.1:1/", additionalInterfaces: [grpc] };
    expect(narrowedCard(card, { binding: "GRPC", version: "0.3" })).toEqual({
      name: "a",
      url: "127.0.0.1:2",
      preferredTransport: "GRPC",
      additionalInterfaces: [grpc],
    });
    expect(offers(card, { binding: "JSONRPC", version: "0.3" })).toBe(true);
    expect(offers(card, { binding: "HTTP+JSON", version: "0.3" })).toBe(false);
  });
});

test("0.3 is spoken with the agents that have cards of 0.3, where there are such", () => {
  const apart = { echo: "e", spec: "s", spec03: "s3" };
  expect(agentFor("spec", "0.3", apart)).toBe("spec03");
  expect(agentFor("spec03", "0.3", { echo: "e", spec: "s" })).toBe("spec");
  expect(agentFor("echo", "1.0", apart)).toBe("echo");
});
