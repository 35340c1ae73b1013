import { type JsonObject, lintCard, normaliseCard } from "@assay/protocol";
import { expect, test } from "vitest";
import { cardChanges } from "./card-changes.ts";
import { cardForBoth, newCard } from "./new-card.ts";

const card: JsonObject = {
  protocolVersion: "0.3.0",
  name: "Weather",
  description: "Says what the weather is like.",
  version: "1.0.0",
  url: "https://weather.example/a2a",
  preferredTransport: "JSONRPC",
  additionalInterfaces: [
    { url: "https://weather.example/a2a", transport: "JSONRPC" },
    { url: "https://weather.example/rest", transport: "HTTP+JSON" },
  ],
  capabilities: { streaming: true, stateTransitionHistory: true },
  supportsAuthenticatedExtendedCard: true,
  securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } },
  security: [{ key: [] }],
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "f", name: "Forecast", description: "Forecasts.", tags: ["weather"], security: [{ key: [] }] }],
  signatures: [{ protected: "e30", signature: "AA" }],
};

const errorsIn = (json: JsonObject): string[] =>
  lintCard(json).flatMap(({ level, path, message }) => (level === "error" ? [`${path} ${message}`] : []));

test("the card for 1.0 alone has only members of 1.0", () => {
  const next = newCard(card, "0.3")!;
  expect(next).toEqual({
    name: "Weather",
    description: "Says what the weather is like.",
    version: "1.0.0",
    supportedInterfaces: [
      { url: "https://weather.example/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url: "https://weather.example/rest", protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
    ],
    capabilities: { streaming: true, extendedAgentCard: true },
    securitySchemes: { key: { apiKeySecurityScheme: { location: "header", name: "X-Key" } } },
    securityRequirements: [{ schemes: { key: { list: [] } } }],
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [
      {
        id: "f",
        name: "Forecast",
        description: "Forecasts.",
        tags: ["weather"],
        securityRequirements: [{ schemes: { key: { list: [] } } }],
      },
    ],
  });
  expect(errorsIn(next)).toEqual([]);
});

test("the card for both versions keeps the older members, without the signature", () => {
  const both = cardForBoth(card, "0.3")!;
  expect(both).toMatchObject({
    protocolVersion: "0.3.0",
    url: "https://weather.example/a2a",
    security: [{ key: [] }],
    supportsAuthenticatedExtendedCard: true,
    securitySchemes: {
      key: { type: "apiKey", in: "header", name: "X-Key", apiKeySecurityScheme: { location: "header", name: "X-Key" } },
    },
  });
  expect(both).not.toHaveProperty("signatures");
  expect(normaliseCard(both).interfaces.map(({ binding, dialect }) => `${binding} ${dialect}`)).toEqual([
    "JSONRPC 1.0",
    "HTTP+JSON 1.0",
    "JSONRPC 0.3",
    "HTTP+JSON 0.3",
  ]);
  expect(errorsIn(both)).toEqual([]);
});

test("an interface of 1.1 is none for older clients", () => {
  const at = (protocolVersion: string): JsonObject => ({
    url: "https://weather.example/a2a",
    protocolBinding: "JSONRPC",
    protocolVersion,
  });
  const both = cardForBoth({ ...card, supportedInterfaces: [at("1.1"), at("1.0"), at("0.3")] }, "0.3")!;
  expect((both["supportedInterfaces"] as JsonObject[]).filter((each) => each["protocolVersion"] === "1.1")).toEqual([]);
  expect(both["supportedInterfaces"]).toContainEqual(at("0.3"));
});

test("each member that changes is explained", () => {
  const next = newCard(card, "0.3")!;
  const changed = cardChanges(card, next, {
    cardUrl: "https://weather.example/.well-known/agent-card.json",
    from: "0.3",
    headers: ["etag", "cache-control"],
  });
  expect(changed.map(({ today }) => today)).toEqual([
    "protocolVersion",
    "url, preferredTransport",
    "additionalInterfaces[].transport",
    "supportsAuthenticatedExtendedCard",
    "capabilities.stateTransitionHistory",
    "securitySchemes.<name>.type",
    "security",
    "signatures",
    "skills[].security",
  ]);
});

test("a card of 0.1 moves to its new place, and its logins become schemes", () => {
  const old: JsonObject = {
    name: "Weather",
    description: "Says what the weather is like.",
    url: "https://weather.example/",
    version: "1",
    authentication: { schemes: ["Bearer"] },
    capabilities: {},
    skills: [{ id: "f", name: "Forecast", description: "Forecasts.", tags: ["weather"] }],
  };
  const next = newCard(old, "0.1")!;
  expect(next["supportedInterfaces"]).toEqual([
    { url: "https://weather.example/", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
  ]);
  const changed = cardChanges(old, next, {
    cardUrl: "https://weather.example/.well-known/agent.json",
    from: "0.1",
    headers: ["etag", "cache-control"],
  });
  expect(changed.map(({ next: place }) => place)).toEqual([
    "supportedInterfaces[0]",
    "securitySchemes, securityRequirements",
    "/.well-known/agent-card.json",
  ]);
});

test("an early card of 0.2 does not name its version, and has a new card", () => {
  const { protocolVersion: _, supportsAuthenticatedExtendedCard: __, signatures: ___, ...rest } = card;
  const early = { ...rest, skills: [{ id: "f", name: "Forecast", description: "Forecasts.", tags: ["weather"] }] };
  expect(newCard(early, "0.2")).toMatchObject({ name: "Weather", skills: [{ id: "f" }] });
  const both = cardForBoth(early, "0.2")!;
  expect(both).toMatchObject({ url: "https://weather.example/a2a" });
  expect(both).not.toHaveProperty("protocolVersion");
});

test("a card that does not declare the older version lists it where the agent speaks it", () => {
  const { protocolVersion: _, url: __, preferredTransport: ___, additionalInterfaces: ____, ...rest } = card;
  const at = (protocolVersion: string): JsonObject => ({
    url: "https://weather.example/a2a",
    protocolBinding: "JSONRPC",
    protocolVersion,
  });
  const newer = { ...rest, supportedInterfaces: [at("1.0")] };
  const both = cardForBoth(newer, "0.3", [{ url: "https://weather.example/a2a", binding: "JSONRPC" }])!;
  expect(both["supportedInterfaces"]).toEqual([at("1.0"), at("0.3")]);
  expect(both).toMatchObject({ url: "https://weather.example/a2a", preferredTransport: "JSONRPC" });
});

test("a card without a description has a new card", () => {
  const { description: _, ...silent } = card;
  expect(newCard(silent, "0.3")).toMatchObject({ name: "Weather", description: "" });
});

test("headers that 1.0 recommends for the card are a change if they are missing", () => {
  const place = { cardUrl: "https://weather.example/card", from: "0.3", headers: ["etag", "date"] } as const;
  expect(cardChanges(card, newCard(card, "0.3")!, place).at(-1)).toMatchObject({
    next: "Cache-Control (HTTP)",
    because: "1.0 recommends this header for the card.",
  });
  expect(cardChanges(card, newCard(card, "0.3")!, { ...place, headers: [] }).at(-1)).toMatchObject({
    next: "Cache-Control, ETag (HTTP)",
    because: expect.stringMatching(/^1\.0 recommends both headers for the card\. .*304 if If-None-Match/),
  });
});

test("no security schemes are no change", () => {
  const without = { ...card, securitySchemes: {} };
  const changed = cardChanges(without, newCard(without, "0.3")!, {
    cardUrl: "https://weather.example/card",
    from: "0.3",
    headers: ["etag", "cache-control"],
  });
  expect(changed.map(({ today }) => today)).not.toContain("securitySchemes.<name>.type");
});
