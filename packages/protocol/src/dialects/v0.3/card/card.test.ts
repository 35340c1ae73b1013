import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../json.ts";
import type { AgentCard } from "../../../model.ts";
import { v02 } from "../../v0.2/dialect.ts";
import { v03 } from "../dialect.ts";

const bare = {
  protocolVersion: "0.3.0",
  name: "n",
  description: "d",
  url: "https://tide.example/rpc",
  version: "1",
  capabilities: {},
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
};
const flow = { tokenUrl: "https://id.example/token", scopes: { "tide.read": "" } };

const read = (more: JsonObject): AgentCard => v03.readCard({ ...bare, ...more }).value!;

describe("several OAuth flows in one scheme become several schemes", () => {
  const flows = { clientCredentials: flow, password: flow };
  const card = read({
    securitySchemes: {
      oauth: { type: "oauth2", flows },
      "oauth.password": { type: "mutualTLS" },
      key: { type: "mutualTLS" },
    },
    security: [{ oauth: ["tide.read"], key: [] }],
  });

  test("each with one flow, under a name that is free", () => {
    expect(card.securitySchemes).toEqual({
      oauth: { oauth2SecurityScheme: { flows: { clientCredentials: flow } } },
      "oauth.password_": { oauth2SecurityScheme: { flows: { password: flow } } },
      "oauth.password": { mtlsSecurityScheme: {} },
      key: { mtlsSecurityScheme: {} },
    });
  });

  test("and a requirement may be met by any of them", () => {
    expect(card.securityRequirements).toEqual([
      { schemes: { oauth: { list: ["tide.read"] }, key: { list: [] } } },
      { schemes: { "oauth.password_": { list: ["tide.read"] }, key: { list: [] } } },
    ]);
  });

  test("a card that asks for the impossible does not grow without bound", () => {
    const names = Array.from({ length: 40 }, (_, index) => `s${index}`);
    const securitySchemes = Object.fromEntries(names.map((name) => [name, { type: "oauth2", flows }]));
    const { securityRequirements } = read({
      securitySchemes,
      security: [Object.fromEntries(names.map((name) => [name, []]))],
    });
    expect(securityRequirements!.length).toBe(64);
  });
});

test("a scheme without a flow is left out, and said", () => {
  const { value, notes } = v03.readCard({ ...bare, securitySchemes: { oauth: { type: "oauth2", flows: {} } } });
  expect(value!.securitySchemes).toEqual({});
  expect(notes).toEqual([
    { path: "$.securitySchemes.oauth", message: "has no OAuth flow; ignored, because 1.0 needs exactly one" },
  ]);
});

describe("interfaces", () => {
  test("the main pair stands first and is not repeated; its transport is JSONRPC unless it says so", () => {
    const additionalInterfaces = [
      { url: "https://tide.example/rest", transport: "HTTP+JSON" },
      { url: "https://tide.example/rpc", transport: "JSONRPC" },
    ];
    expect(read({ additionalInterfaces }).supportedInterfaces).toEqual([
      { url: "https://tide.example/rpc", protocolBinding: "JSONRPC", protocolVersion: "0.3" },
      { url: "https://tide.example/rest", protocolBinding: "HTTP+JSON", protocolVersion: "0.3" },
    ]);
  });

  test("a card for both ages lists to 0.3 clients what speaks 0.3", () => {
    const supportedInterfaces = [
      { url: "https://tide.example/", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url: "https://tide.example/rest", protocolBinding: "HTTP+JSON", protocolVersion: "0.3" },
      { url: "https://tide.example/rpc", protocolBinding: "JSONRPC", protocolVersion: "0.3.0" },
    ];
    expect(v03.writeCard({ ...read({}), supportedInterfaces })).toMatchObject({
      protocolVersion: "0.3.0",
      url: "https://tide.example/rest",
      preferredTransport: "HTTP+JSON",
      additionalInterfaces: [
        { url: "https://tide.example/rest", transport: "HTTP+JSON" },
        { url: "https://tide.example/rpc", transport: "JSONRPC" },
      ],
    });
  });
});

test("0.2 refuses a scheme that came with 0.3", () => {
  const { violations } = v02.readCard({ ...bare, securitySchemes: { m: { type: "mutualTLS" } } });
  expect(violations).toMatchObject([{ path: "$.securitySchemes.m.type", code: "unknown-value", got: "mutualTLS" }]);
});

test("nulls are read as not given", () => {
  const { value, notes } = v03.readCard({ ...bare, iconUrl: null, capabilities: { streaming: null } });
  expect(value!.capabilities).toEqual({});
  expect(notes!.map(({ path }) => path)).toEqual(["$.iconUrl", "$.capabilities.streaming"]);
});
