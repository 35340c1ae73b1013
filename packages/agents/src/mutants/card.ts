import { randomUUID } from "node:crypto";
import type { JsonObject, JsonValue } from "@assay/protocol";
import type { WireRequest } from "@assay/wire/server";
import { type Divergence, full, minimal, secure, spec } from "../definition/divergence.ts";
import { changeAnswers, changeRequests, type HttpAnswer } from "../mutation/http.ts";
import { edited, without } from "../mutation/json.ts";
import { signAnew } from "../mutation/signing.ts";

type Edit = (card: JsonObject, baseUrl: string) => JsonObject;

const interfaces = (card: JsonObject, change: (entry: JsonObject) => JsonObject): JsonObject => ({
  ...card,
  supportedInterfaces: (card["supportedInterfaces"] as JsonObject[]).map(change),
});

/** Changes the interfaces of one binding, except those of older protocol versions. */
const ofBinding = (binding: string, change: (entry: JsonObject) => JsonObject) => (card: JsonObject) =>
  interfaces(card, (entry) =>
    entry["protocolBinding"] === binding && entry["protocolVersion"] === "1.0" ? change(entry) : entry,
  );

const is10 = ({ protocolVersion }: JsonObject): boolean => protocolVersion === "1.0";

/** Sets or removes a member of the card. */
const put =
  (path: string, value: JsonValue | undefined): Edit =>
  (card) =>
    edited(card, path, value);

/** Adds an unused security scheme that is broken in the mutant's way. */
const scheme = (declared: JsonObject): Edit => put("securitySchemes.other", declared);
const flow = (flows: JsonObject): Edit => scheme({ oauth2SecurityScheme: { flows } });

const token = "https://login.example.com/token";

export const cardMutants: readonly Divergence[] = [
  minimal("CARD-001.older-place", "The card is served only at the pre-0.3 path /.well-known/agent.json.", () => ({
    http: atOlderPlace(),
  })),

  // One edit of the card each, for the rules about its shape.
  full("CARD-002.one-signature", "The card has an object as signatures instead of an array.", {
    card: put("signatures", {}),
  }),
  secure(
    "CARD-029.two-flows",
    "An OAuth 2.0 scheme on the card has two flows, authorizationCode and clientCredentials.",
    {
      card: flow({
        authorizationCode: { authorizationUrl: "https://login.example.com/auth", tokenUrl: token, scopes: {} },
        clientCredentials: { tokenUrl: token, scopes: {} },
      }),
    },
  ),
  spec("CARD-003.no-name", "The card has no name.", { card: put("name", undefined) }),
  spec("CARD-003.null", "The name on the card is null.", { card: put("name", null) }),
  minimal("CARD-004.missing", "The card has no description.", { card: put("description", undefined) }),
  minimal("CARD-005.number", "The card has a number as version.", { card: put("version", 1.5) }),
  minimal("CARD-005.empty", "The card has an empty version.", { card: put("version", "") }),
  minimal("CARD-006.missing", "The card has no supportedInterfaces.", { card: put("supportedInterfaces", undefined) }),
  minimal("CARD-007.missing", "The card has no capabilities.", { card: put("capabilities", undefined) }),
  minimal("CARD-008.string", "The card has a string as defaultInputModes instead of an array.", {
    card: put("defaultInputModes", "text/plain"),
  }),
  minimal("CARD-008.empty", "The card has an empty list of input modes.", { card: put("defaultInputModes", []) }),
  minimal("CARD-009.missing", "The card has no defaultOutputModes.", { card: put("defaultOutputModes", undefined) }),
  minimal("CARD-009.empty", "The card has an empty list of output modes.", { card: put("defaultOutputModes", []) }),
  minimal("CARD-010.missing", "The card has no skills.", { card: put("skills", undefined) }),
  minimal("CARD-010.empty", "The card has an empty list of skills.", { card: put("skills", []) }),
  minimal("CARD-011.no-url", "The second interface on the card has no url.", {
    card: put("supportedInterfaces.1.url", undefined),
  }),
  minimal("CARD-012.missing", "The second interface on the card has no protocolBinding.", {
    card: put("supportedInterfaces.1.protocolBinding", undefined),
  }),
  spec("CARD-012.rest", 'The card calls the binding HTTP+JSON "REST".', {
    card: (card) =>
      interfaces(card, (entry) =>
        entry["protocolBinding"] === "HTTP+JSON" ? { ...entry, protocolBinding: "REST" } : entry,
      ),
  }),
  minimal(
    "CARD-013.top-level",
    "The card has protocolVersion at the top level, as in 0.3, and not on its interfaces.",
    { card: (card) => ({ ...interfaces(card, (entry) => without(entry, "protocolVersion")), protocolVersion: "1.0" }) },
  ),
  minimal("CARD-014.relative-url", "The card has a path without a host as the url of its HTTP interfaces.", {
    card: (card) =>
      interfaces(card, (entry) =>
        entry["protocolBinding"] === "GRPC" ? entry : { ...entry, url: new URL(String(entry["url"])).pathname },
      ),
  }),
  minimal("CARD-015.no-port", "The card has a gRPC address without a port.", {
    card: ofBinding("GRPC", (entry) => ({ ...entry, url: String(entry["url"]).replace(/:\d+$/, "") })),
  }),
  // Port 9 is the discard service, which no system runs any more.
  minimal("CARD-016.nobody-there", "The card points HTTP+JSON clients to a port where no server listens.", {
    card: ofBinding("HTTP+JSON", (entry) => ({ ...entry, url: "http://127.0.0.1:9/minimal" })),
  }),
  minimal("CARD-016.wrong-place", "The card points HTTP+JSON clients to an address that serves something else.", {
    card: ofBinding("HTTP+JSON", (entry) => ({ ...entry, url: `${String(entry["url"])}/some/where/else` })),
  }),
  minimal(
    "CARD-016.wrong-binding",
    "The url of the JSON-RPC interface leads to an address that serves only HTTP+JSON.",
    { card: ofBinding("JSONRPC", (entry) => ({ ...entry, url: `${String(entry["url"])}/tasks` })) },
  ),
  minimal("CARD-017.unlisted-rest", "The agent serves HTTP+JSON, but its card does not list it.", {
    card: (card) => ({
      ...card,
      supportedInterfaces: (card["supportedInterfaces"] as JsonObject[]).filter(
        (entry) => !is10(entry) || entry["protocolBinding"] !== "HTTP+JSON",
      ),
    }),
  }),
  minimal("CARD-017.unlisted-jsonrpc", "The card omits JSON-RPC, which the agent supports.", {
    card: (card) => ({
      ...card,
      supportedInterfaces: (card["supportedInterfaces"] as JsonObject[]).filter(
        (entry) => !is10(entry) || entry["protocolBinding"] !== "JSONRPC",
      ),
    }),
  }),
  minimal("CARD-020.same-id", "All skills on the card have the same id.", {
    card: (card) => ({
      ...card,
      skills: (card["skills"] as JsonObject[]).map((skill) => ({ ...skill, id: "default" })),
    }),
  }),
  minimal("CARD-021.no-description", "A skill on the card has no description.", {
    card: put("skills.1.description", undefined),
  }),
  minimal("CARD-022.missing", "A skill on the card has no tags.", { card: put("skills.0.tags", undefined) }),
  minimal("CARD-022.empty", "A skill on the card has an empty list of tags.", { card: put("skills.0.tags", []) }),
  minimal("CARD-023.string", "A skill on the card has a string as inputModes instead of an array.", {
    card: put("skills.0.inputModes", "text/plain"),
  }),
  minimal("CARD-024.no-url", "The provider on the card has no url.", { card: put("provider.url", undefined) }),
  minimal("CARD-025.string", "The card has a string as the streaming flag.", {
    card: put("capabilities.streaming", "false"),
  }),
  secure("CARD-026.openapi", "The card declares a security scheme in the OpenAPI form of 0.3.", {
    card: scheme({ type: "http", scheme: "bearer" }),
  }),
  secure("CARD-027.in", "An API key scheme on the card has in, as in OpenAPI, instead of location.", {
    card: scheme({ apiKeySecurityScheme: { in: "header", name: "X-API-Key" } }),
  }),
  secure("CARD-028.no-scheme", "An HTTP security scheme on the card has bearerFormat and no scheme.", {
    card: scheme({ httpAuthSecurityScheme: { bearerFormat: "JWT" } }),
  }),
  secure("CARD-029.no-flows", "An OAuth 2.0 scheme on the card lacks its flows.", {
    card: scheme({ oauth2SecurityScheme: {} }),
  }),
  secure("CARD-030.scopes-list", "The card has an array as the scopes of an authorization code flow.", {
    card: flow({
      authorizationCode: { authorizationUrl: "https://login.example.com/auth", tokenUrl: token, scopes: ["read"] },
    }),
  }),
  secure("CARD-031.snake-case", "A client credentials flow on the card has token_url instead of tokenUrl.", {
    card: flow({ clientCredentials: { token_url: token, scopes: {} } }),
  }),
  secure("CARD-031.scopes-list", "The card gives the scopes of a client credentials flow as a list.", {
    card: flow({ clientCredentials: { tokenUrl: token, scopes: ["read"] } }),
  }),
  secure("CARD-032.device-url", "A device code flow on the card has deviceUrl instead of deviceAuthorizationUrl.", {
    card: flow({ deviceCode: { deviceUrl: "https://login.example.com/device", tokenUrl: token, scopes: {} } }),
  }),
  secure("CARD-033.issuer", "An OpenID Connect scheme on the card has issuer instead of openIdConnectUrl.", {
    card: scheme({ openIdConnectSecurityScheme: { issuer: "https://login.example.com" } }),
  }),
  secure("CARD-034.password", "The card offers the deprecated password flow of OAuth 2.0.", {
    card: flow({ password: { tokenUrl: token, scopes: {} } }),
  }),
  secure("CARD-035.plain-http", "The card has an http URL as oauth2MetadataUrl.", {
    card: scheme({
      oauth2SecurityScheme: {
        flows: { clientCredentials: { tokenUrl: token, scopes: {} } },
        oauth2MetadataUrl: "http://login.example.com/.well-known/oauth-authorization-server",
      },
    }),
  }),
  secure("CARD-036.openapi", "The card has security requirements in the format of OpenAPI.", {
    card: put("securityRequirements", [{ bearer: [] }]),
  }),
  secure("CARD-036.older-name", "The card has its security requirements only with the name and in the form of 0.3.", {
    card: (card) => ({ ...without(card, "securityRequirements"), security: [{ bearer: [] }] }),
  }),
  secure("CARD-037.undefined-scheme", "The card requires a security scheme that it does not define.", {
    card: put("securityRequirements", [{ schemes: { bearerAuth: { list: [] } } }]),
  }),
  secure("CARD-038.names", "A skill on the card has an array of names as its security requirements.", {
    card: put("skills.0.securityRequirements", ["bearer"]),
  }),
  minimal("CARD-039.password", "The card has a password in a URL.", {
    card: put("provider.url", "https://assay:test-bed@provider.example.com/"),
  }),
  minimal("CARD-041.relative", "The card has a relative path as iconUrl.", { card: put("iconUrl", "/icon.png") }),
  secure("CARD-045.undeclared", "The agent requires authentication, but its card declares no security scheme.", {
    card: (card) => without(without(card, "securitySchemes"), "securityRequirements"),
  }),
  minimal(
    "LEG-004.older-flag",
    "The card declares its extended card only with the 0.3 flag supportsAuthenticatedExtendedCard.",
    { card: put("supportsAuthenticatedExtendedCard", true) },
  ),
  minimal("LEG-005.another-agent", "The 0.3 url on the card leads to another agent than supportedInterfaces.", {
    card: (card, baseUrl) => ({ ...card, url: `${baseUrl}/echo`, preferredTransport: "JSONRPC" }),
  }),
  spec("XCARD-004.no-scheme", "The card declares an extended card but no security scheme.", {
    card: put("securitySchemes", undefined),
  }),

  // Their base signs its card, so the changed card must be signed again.
  full("EXT-001.names", "The card lists its extensions as plain strings.", () => ({
    http: signAnew({ card: (card) => edited(card, "capabilities.extensions", ["urn:assay:extension:timing:v1"]) }),
  })),

  full("EXT-002.unversioned", "The URI of an extension on the card has no version.", () => ({
    http: signAnew({ card: (card) => edited(card, "capabilities.extensions.0.uri", "urn:assay:extension:timing") }),
  })),

  minimal("CARD-018.unordered", "The card lists its interfaces in a different order on every fetch.", () => ({
    http: unordered(),
  })),

  minimal("CARD-043.first-card", "The card URL of a second agent on the host returns the card of the first.", () => ({
    http: forNeighbour(),
  })),
];

/** Remembers the card, hides it at its path, and serves it at the older path. */
function atOlderPlace(): ReturnType<typeof changeAnswers> {
  let card: HttpAnswer | undefined;
  return changeAnswers((answer, { path, headers }) => {
    if (path.endsWith("/.well-known/agent-card.json")) {
      card = answer;
      return { status: 404, headers: { "Content-Type": "text/plain" }, body: "Not found" };
    }
    if (!card || !path.endsWith("/.well-known/agent.json")) return answer;
    return headers["if-none-match"] === card.headers["ETag"] ? { ...card, status: 304, body: "" } : card;
  });
}

/** Remembers the card, and serves it as that of the neighbouring agent. */
function forNeighbour(): ReturnType<typeof changeAnswers> {
  let card: HttpAnswer | undefined;
  return changeAnswers((answer, { path }) => {
    if (path.endsWith("/neighbour/.well-known/agent-card.json")) return card ?? answer;
    if (path.endsWith("/.well-known/agent-card.json") && answer.status === 200) card = answer;
    return answer;
  });
}

function unordered(): ReturnType<typeof changeAnswers> {
  let turns = 0;
  return changeAnswers((answer, { path }) => {
    if (answer.status !== 200 || !path.endsWith("/.well-known/agent-card.json")) return answer;
    const card = JSON.parse(String(answer.body)) as JsonObject;
    const listed = card["supportedInterfaces"] as JsonObject[];
    const from = turns++ % listed.length;
    const turned = [...listed.slice(from), ...listed.slice(0, from)];
    return { ...answer, body: JSON.stringify({ ...card, supportedInterfaces: turned }) };
  });
}

const isCard = ({ path }: WireRequest): boolean => path.endsWith("/.well-known/agent-card.json");

/** Changes responses with the card before they are written. */
const changeCard = (change: (answer: HttpAnswer, request: WireRequest) => HttpAnswer) =>
  changeAnswers((answer, request) => (isCard(request) ? change(answer, request) : answer));

const labelled = (answer: HttpAnswer, headers: Readonly<Record<string, string>>): HttpAnswer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});

export const cacheMutants = [
  spec("CACHE-001.no-store", "The card is served with Cache-Control: no-store.", {
    http: changeCard((answer) => labelled(answer, { "Cache-Control": "no-store" })),
  }),

  spec("CACHE-002.random", "The ETag of the card is different on every fetch.", {
    http: changeCard((answer) => labelled(answer, { ETag: `"${randomUUID()}"` })),
  }),

  spec("CACHE-003.iso-date", "Last-Modified of the card is an ISO 8601 time instead of an HTTP date.", {
    http: changeCard((answer) => labelled(answer, { "Last-Modified": "2026-03-12T09:30:00Z" })),
  }),

  spec("CACHE-004.always-304", "The card URL returns 304 for every If-None-Match, even for an outdated ETag.", {
    http: changeCard((answer, request) =>
      request.headers["if-none-match"] ? { ...answer, status: 304, body: "" } : answer,
    ),
  }),

  spec("CACHE-004.never-304", "Ignores the If-None-Match header with the ETag of the card.", {
    http: changeRequests(({ headers }) => {
      const { "if-none-match": _tag, ...rest } = headers;
      return { headers: rest };
    }),
  }),
];
