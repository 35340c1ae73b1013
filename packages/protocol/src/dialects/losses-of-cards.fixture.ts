import type { JsonObject, JsonValue } from "../json.ts";
import { type Loss, older, until } from "./loss.fixture.ts";
import { releases } from "./releases.ts";

const v02 = until("0.3");

const schemeOf = (scheme: JsonValue): string => Object.keys(scheme as JsonObject)[0] ?? "";

const onlyDevice = (scheme: JsonValue): boolean => {
  const { oauth2SecurityScheme } = scheme as { oauth2SecurityScheme?: { flows: JsonObject } };
  return oauth2SecurityScheme?.flows["deviceCode"] !== undefined;
};

/** Keeps the matching schemes. Returns undefined instead of an empty map, which is protobuf's default. */
const keeping = (keep: (scheme: JsonValue) => boolean) => (schemes: JsonValue | undefined) => {
  const kept = Object.entries(schemes as JsonObject).filter(([, scheme]) => keep(scheme));
  return kept.length ? Object.fromEntries(kept) : undefined;
};

/** Returns the interfaces that a card of this version can list, without duplicates. */
const interfacesOf = (version: string) => (value: JsonValue | undefined) => {
  const interfaces = value as JsonObject[];
  const own = interfaces.filter(({ protocolVersion }) => `${protocolVersion}.`.startsWith(`${version}.`));
  const listed = (own.length ? own : interfaces).map(({ url, protocolBinding }) => ({ url, protocolBinding }));
  const distinct = new Map(listed.map((entry) => [JSON.stringify(entry), entry]));
  return [...distinct.values()].map((entry) => ({ ...entry, protocolVersion: version }) as JsonObject);
};

const onlyUrl = (version: string) => (value: JsonValue | undefined) => {
  const listed = interfacesOf(version)(value);
  const { url } = listed.find(({ protocolBinding }) => protocolBinding === "JSONRPC") ?? listed[0]!;
  return [{ url: url!, protocolBinding: "JSONRPC", protocolVersion: version }];
};

const because = {
  interfaces: "a card has one version for all its interfaces, and no tenants",
  url: "a card has one URL, and it speaks JSON-RPC",
  names: "a card of 0.1 names its authentication schemes, and any one will do",
};

/** Returns the names that 0.1 writes for the schemes of a card. */
const names = (schemes: JsonValue | undefined): string[] => {
  const words: Record<string, string> = {
    apiKeySecurityScheme: "ApiKey",
    oauth2SecurityScheme: "OAuth2",
    openIdConnectSecurityScheme: "OpenIdConnect",
    mtlsSecurityScheme: "MutualTLS",
  };
  const named = Object.values((schemes ?? {}) as Record<string, JsonObject>).map(
    (scheme) => words[schemeOf(scheme)] ?? ((scheme["httpAuthSecurityScheme"] as JsonObject)["scheme"] as string),
  );
  return [...new Set(named)];
};

const anyOf = (schemes: JsonValue | undefined): JsonValue[] | undefined => {
  const found = names(schemes);
  return found.length ? found.map((name) => ({ schemes: Object.fromEntries([[name, {}]]) })) : undefined;
};

/** The losses of cards, a part of losses.fixture.ts. */
export const cardLosses: readonly Loss[] = [
  { at: "AgentCard.signatures", wires: older, because: "no translation leaves a signature valid" },
  {
    at: "AgentCard.supportedInterfaces",
    wires: ["0.3", "0.3-proto"],
    becomes: interfacesOf("0.3"),
    because: because.interfaces,
  },
  {
    at: "AgentCard.supportedInterfaces",
    wires: ["0.2.4", "0.2.5", "0.2.6"],
    becomes: interfacesOf("0.2"),
    because: because.interfaces,
  },
  { at: "AgentCard.supportedInterfaces", wires: until("0.2.4"), becomes: onlyUrl("0.2"), because: because.url },
  { at: "AgentCard.supportedInterfaces", wires: ["0.1"], becomes: onlyUrl("0.1"), because: because.url },
  { at: "AgentCard.iconUrl", wires: ["0.1", ...until("0.2.2")], because: "came with 0.2.2" },
  { at: "AgentCapabilities.extensions", wires: ["0.1", ...until("0.2.2")], because: "came with 0.2.2" },
  { at: "AgentCapabilities.extendedAgentCard", wires: ["0.1", ...until("0.2.1")], because: "came with 0.2.1" },
  { at: "AgentSkill.securityRequirements", wires: ["0.1", ...v02], because: "came with 0.3" },
  {
    at: "AuthorizationCodeOAuthFlow.pkceRequired",
    wires: [...releases, "0.3-proto"],
    because: "came with 1.0",
  },
  { at: "OAuth2SecurityScheme.oauth2MetadataUrl", wires: v02, because: "came with 0.3" },
  {
    at: "AgentCard.securitySchemes",
    wires: [...releases, "0.3-proto"],
    becomes: keeping((scheme) => !onlyDevice(scheme)),
    because: "the device flow came with 1.0, and a scheme needs a flow",
  },
  {
    at: "AgentCard.securitySchemes",
    wires: v02,
    becomes: keeping((scheme) => schemeOf(scheme) !== "mtlsSecurityScheme"),
    because: "mutual TLS came with 0.3",
  },
  {
    at: "AgentCard.securityRequirements",
    wires: ["0.1"],
    becomes: (_requirements, { securitySchemes }) => anyOf(securitySchemes),
    because: because.names,
  },
  {
    at: "AgentCard.securityRequirements",
    wires: ["0.1"],
    gains: true,
    becomes: (_requirements, { securitySchemes }) => anyOf(securitySchemes),
    because: because.names,
  },
  {
    at: "AgentCard.securitySchemes",
    wires: ["0.1"],
    becomes: (schemes) =>
      Object.fromEntries(names(schemes).map((scheme) => [scheme, { httpAuthSecurityScheme: { scheme } }])),
    because: because.names,
  },
];
