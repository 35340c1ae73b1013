import type { JsonObject, JsonValue } from "@assay/protocol";
import { type Divergence, full, madeFrom, minimal } from "../definition/divergence.ts";
import { changeAnswers, type HttpAnswer } from "../mutation/http.ts";
import { edited, without } from "../mutation/json.ts";
import { signAnew } from "../mutation/signing.ts";

type Edit = (card: JsonObject, baseUrl: string) => JsonObject;

const interfaces = (card: JsonObject, change: (entry: JsonObject) => JsonObject): JsonObject => ({
  ...card,
  supportedInterfaces: (card["supportedInterfaces"] as JsonObject[]).map(change),
});

/** Interfaces of one binding, those of older protocol versions apart. */
const ofBinding = (binding: string, change: (entry: JsonObject) => JsonObject) => (card: JsonObject) =>
  interfaces(card, (entry) =>
    entry["protocolBinding"] === binding && entry["protocolVersion"] === "1.0" ? change(entry) : entry,
  );

const is10 = ({ protocolVersion }: JsonObject): boolean => protocolVersion === "1.0";

/** Another member, or none, at a place of the card. */
const put =
  (path: string, value: JsonValue | undefined): Edit =>
  (card) =>
    edited(card, path, value);

/** A security scheme more than the agent asks for, broken in the way the mutant is about. */
const scheme = (declared: JsonObject): Edit => put("securitySchemes.other", declared);
const flow = (flows: JsonObject): Edit => scheme({ oauth2SecurityScheme: { flows } });

const token = "https://login.example.com/token";

/** Edits of the card, one each: what the rules about mere shape are proven on. */
const edits: readonly (readonly [id: string, base: string, does: string, edit: Edit])[] = [
  [
    "CARD-002.one-signature",
    "full",
    "The member signatures of the card is an object instead of a list.",
    put("signatures", {}),
  ],
  [
    "CARD-029.two-flows",
    "secure",
    "An OAuth 2.0 scheme on the card has two flows, authorizationCode and clientCredentials.",
    flow({
      authorizationCode: { authorizationUrl: "https://login.example.com/auth", tokenUrl: token, scopes: {} },
      clientCredentials: { tokenUrl: token, scopes: {} },
    }),
  ],
  ["CARD-003.no-name", "spec", "The card has no name.", put("name", undefined)],
  ["CARD-003.null", "spec", "The name on the card is null.", put("name", null)],
  ["CARD-004.missing", "minimal", "The card has no description.", put("description", undefined)],
  ["CARD-005.number", "minimal", "The card gives version as a number.", put("version", 1.5)],
  ["CARD-005.empty", "minimal", "Its card gives the version as an empty string.", put("version", "")],
  ["CARD-006.missing", "minimal", "The card has no supportedInterfaces.", put("supportedInterfaces", undefined)],
  ["CARD-007.missing", "minimal", "The card has no capabilities.", put("capabilities", undefined)],
  [
    "CARD-008.string",
    "minimal",
    "The card gives defaultInputModes as a string instead of a list.",
    put("defaultInputModes", "text/plain"),
  ],
  ["CARD-008.empty", "minimal", "Its card gives an empty list of input modes.", put("defaultInputModes", [])],
  ["CARD-009.missing", "minimal", "The card has no defaultOutputModes.", put("defaultOutputModes", undefined)],
  ["CARD-009.empty", "minimal", "Its card gives an empty list of output modes.", put("defaultOutputModes", [])],
  ["CARD-010.missing", "minimal", "The card has no skills.", put("skills", undefined)],
  ["CARD-010.empty", "minimal", "Its card gives an empty list of skills.", put("skills", [])],
  [
    "CARD-011.no-url",
    "minimal",
    "The second interface on the card has no url.",
    put("supportedInterfaces.1.url", undefined),
  ],
  [
    "CARD-012.missing",
    "minimal",
    "The second interface on the card has no protocolBinding.",
    put("supportedInterfaces.1.protocolBinding", undefined),
  ],
  [
    "CARD-012.rest",
    "spec",
    'Its card calls the binding HTTP+JSON "REST".',
    (card) =>
      interfaces(card, (entry) =>
        entry["protocolBinding"] === "HTTP+JSON" ? { ...entry, protocolBinding: "REST" } : entry,
      ),
  ],
  [
    "CARD-013.top-level",
    "minimal",
    "The card has protocolVersion at the top level, as in 0.3, and not on its interfaces.",
    (card) => ({ ...interfaces(card, (entry) => without(entry, "protocolVersion")), protocolVersion: "1.0" }),
  ],
  [
    "CARD-014.relative-url",
    "minimal",
    "The card gives a path without a host as the url of its HTTP interfaces.",
    (card) =>
      interfaces(card, (entry) =>
        entry["protocolBinding"] === "GRPC" ? entry : { ...entry, url: new URL(String(entry["url"])).pathname },
      ),
  ],
  [
    "CARD-015.no-port",
    "minimal",
    "The card gives the gRPC address without a port.",
    ofBinding("GRPC", (entry) => ({ ...entry, url: String(entry["url"]).replace(/:\d+$/, "") })),
  ],
  [
    "CARD-016.nobody-there",
    "minimal",
    "Its card sends clients of HTTP+JSON to a port where nothing listens.",
    // Port 9 is the discard service, which no system runs any more.
    ofBinding("HTTP+JSON", (entry) => ({ ...entry, url: "http://127.0.0.1:9/minimal" })),
  ],
  [
    "CARD-016.wrong-place",
    "minimal",
    "Its card sends clients of HTTP+JSON to an address where other things are served.",
    ofBinding("HTTP+JSON", (entry) => ({ ...entry, url: `${String(entry["url"])}/some/where/else` })),
  ],
  [
    "CARD-016.wrong-binding",
    "minimal",
    "The url of the JSON-RPC interface leads to an address that speaks only HTTP+JSON.",
    ofBinding("JSONRPC", (entry) => ({ ...entry, url: `${String(entry["url"])}/tasks` })),
  ],
  [
    "CARD-017.unlisted-rest",
    "minimal",
    "The agent serves HTTP+JSON, and its card does not list it.",
    (card) => ({
      ...card,
      supportedInterfaces: (card["supportedInterfaces"] as JsonObject[]).filter(
        (entry) => !is10(entry) || entry["protocolBinding"] !== "HTTP+JSON",
      ),
    }),
  ],
  [
    "CARD-017.unlisted-jsonrpc",
    "minimal",
    "Its card keeps silent about JSON-RPC, which the agent speaks all the same.",
    (card) => ({
      ...card,
      supportedInterfaces: (card["supportedInterfaces"] as JsonObject[]).filter(
        (entry) => !is10(entry) || entry["protocolBinding"] !== "JSONRPC",
      ),
    }),
  ],
  [
    "CARD-020.same-id",
    "minimal",
    "All skills on the card have the same id.",
    (card) => ({
      ...card,
      skills: (card["skills"] as JsonObject[]).map((skill) => ({ ...skill, id: "default" })),
    }),
  ],
  [
    "CARD-021.no-description",
    "minimal",
    "A skill on the card has no description.",
    put("skills.1.description", undefined),
  ],
  ["CARD-022.missing", "minimal", "A skill on the card has no tags.", put("skills.0.tags", undefined)],
  ["CARD-022.empty", "minimal", "A skill on its card has an empty list of tags.", put("skills.0.tags", [])],
  [
    "CARD-023.string",
    "minimal",
    "A skill on the card gives inputModes as a string instead of a list.",
    put("skills.0.inputModes", "text/plain"),
  ],
  ["CARD-024.no-url", "minimal", "The provider on the card has no url.", put("provider.url", undefined)],
  [
    "CARD-025.string",
    "minimal",
    "The card gives the streaming flag as a string.",
    put("capabilities.streaming", "false"),
  ],
  [
    "CARD-026.openapi",
    "secure",
    "The card declares a security scheme in the OpenAPI form of 0.3.",
    scheme({ type: "http", scheme: "bearer" }),
  ],
  [
    "CARD-027.in",
    "secure",
    "An API key scheme on the card has in, as in OpenAPI, instead of location.",
    scheme({ apiKeySecurityScheme: { in: "header", name: "X-API-Key" } }),
  ],
  [
    "CARD-028.no-scheme",
    "secure",
    "An HTTP security scheme on the card has bearerFormat and no scheme.",
    scheme({ httpAuthSecurityScheme: { bearerFormat: "JWT" } }),
  ],
  [
    "CARD-029.no-flows",
    "secure",
    "An OAuth 2.0 scheme on the card has no flows.",
    scheme({ oauth2SecurityScheme: {} }),
  ],
  [
    "CARD-030.scopes-list",
    "secure",
    "The card gives the scopes of an authorization code flow as a list.",
    flow({
      authorizationCode: { authorizationUrl: "https://login.example.com/auth", tokenUrl: token, scopes: ["read"] },
    }),
  ],
  [
    "CARD-031.snake-case",
    "secure",
    "The card calls tokenUrl of a client credentials flow token_url.",
    flow({ clientCredentials: { token_url: token, scopes: {} } }),
  ],
  [
    "CARD-031.scopes-list",
    "secure",
    "The card gives the scopes of a client credentials flow as a list.",
    flow({ clientCredentials: { tokenUrl: token, scopes: ["read"] } }),
  ],
  [
    "CARD-032.device-url",
    "secure",
    "The card calls deviceAuthorizationUrl of a device code flow deviceUrl.",
    flow({ deviceCode: { deviceUrl: "https://login.example.com/device", tokenUrl: token, scopes: {} } }),
  ],
  [
    "CARD-033.issuer",
    "secure",
    "An OpenID Connect scheme on the card has issuer instead of openIdConnectUrl.",
    scheme({ openIdConnectSecurityScheme: { issuer: "https://login.example.com" } }),
  ],
  [
    "CARD-034.password",
    "secure",
    "The card offers the deprecated password flow of OAuth 2.0.",
    flow({ password: { tokenUrl: token, scopes: {} } }),
  ],
  [
    "CARD-035.plain-http",
    "secure",
    "The card gives oauth2MetadataUrl as an http address.",
    scheme({
      oauth2SecurityScheme: {
        flows: { clientCredentials: { tokenUrl: token, scopes: {} } },
        oauth2MetadataUrl: "http://login.example.com/.well-known/oauth-authorization-server",
      },
    }),
  ],
  [
    "CARD-036.openapi",
    "secure",
    "Its card writes its security requirements as OpenAPI would.",
    put("securityRequirements", [{ bearer: [] }]),
  ],
  [
    "CARD-036.older-name",
    "secure",
    "The card has its security requirements only under the name and in the form of 0.3.",
    (card) => ({ ...without(card, "securityRequirements"), security: [{ bearer: [] }] }),
  ],
  [
    "CARD-037.undefined-scheme",
    "secure",
    "The card requires a security scheme that it does not define.",
    put("securityRequirements", [{ schemes: { bearerAuth: { list: [] } } }]),
  ],
  [
    "CARD-038.names",
    "secure",
    "A skill on the card gives its security requirements as a list of names.",
    put("skills.0.securityRequirements", ["bearer"]),
  ],
  [
    "CARD-039.password",
    "minimal",
    "The card has a password in a URL.",
    put("provider.url", "https://assay:test-bed@provider.example.com/"),
  ],
  ["CARD-041.relative", "minimal", "The card gives iconUrl as a relative path.", put("iconUrl", "/icon.png")],
  [
    "CARD-045.undeclared",
    "secure",
    "The agent requires a login, and its card declares no security scheme.",
    (card) => without(without(card, "securitySchemes"), "securityRequirements"),
  ],
  [
    "LEG-004.older-flag",
    "minimal",
    "The card declares its extended card only with the 0.3 flag supportsAuthenticatedExtendedCard.",
    put("supportsAuthenticatedExtendedCard", true),
  ],
  [
    "LEG-005.another-agent",
    "minimal",
    "The 0.3 url on the card leads to another agent than supportedInterfaces.",
    (card, baseUrl) => ({ ...card, url: `${baseUrl}/echo`, preferredTransport: "JSONRPC" }),
  ],
  [
    "XCARD-004.no-scheme",
    "spec",
    "The card declares an extended card and no security scheme.",
    put("securitySchemes", undefined),
  ],
];

export const cardMutants: readonly Divergence[] = [
  minimal("CARD-001.older-place", "The card is served only at the pre-0.3 path /.well-known/agent.json.", () => ({
    http: atOlderPlace(),
  })),

  ...edits.map(([id, base, does, edit]) => madeFrom(base)(id, does, { card: edit })),

  // Their base signs its card, so what they change has to be signed anew.
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

/** Keeps the card in mind when it is asked for at its place, where it shows nothing, and shows it at the older one. */
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

/** Keeps its card in mind, and shows it as that of the agent beside it. */
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
