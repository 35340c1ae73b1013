import { isObject, type JsonObject, type JsonValue, type SecurityScheme } from "@assay/protocol";
import { tokenHolders } from "../definition/access.ts";
import { type Divergence, spec02, spec03 } from "../definition/divergence.ts";
import { acknowledgement, timing } from "../definition/extensions.ts";
import { changeAnswers } from "../mutation/http.ts";
import { answerOf, edited, without } from "../mutation/json.ts";
import { intercept } from "../mutation/operations.ts";
import { adminStatus } from "../skills/admin-status.ts";

// Differences between cards of 0.3 and 0.2 and those of 1.0; edits that fit both.

type Edit = (card: JsonObject, baseUrl: string) => JsonObject;

const put =
  (path: string, value: JsonValue | undefined): Edit =>
  (card) =>
    edited(card, path, value);

/** Adds an unused security scheme that is broken in the mutant's way. */
const scheme =
  (declared: JsonValue): Edit =>
  (card) => ({
    ...card,
    securitySchemes: {
      ...(isObject(card["securitySchemes"]) ? card["securitySchemes"] : {}),
      other: declared,
    } as JsonObject,
  });

const token = "https://login.example.com/token";

/** Replaces the list of interfaces, based on the main address. */
const interfaces =
  (list: (url: string) => JsonValue): Edit =>
  (card) => ({ ...card, additionalInterfaces: list(String(card["url"])) });

const signed = (signature: JsonValue): Edit => put("signatures", [signature]);
const header = (json: JsonObject): string => Buffer.from(JSON.stringify(json)).toString("base64url");

/** Requires the token, and declares the login on the card. */
const guarded = tokenHolders("agentbin-test-token", "extended card");
const extended = { access: guarded, skills: [adminStatus] };
const bearer: Readonly<Record<string, SecurityScheme>> = { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } };

export const olderCardMutants: readonly Divergence[] = [
  // One edit of the card each, for the rules about its shape.
  spec03("V03-CARD-001.number", "The card has a number as its url.", { card: put("url", 8080) }),
  spec03("V03-CARD-002.undated", "The card has no protocolVersion.", { card: put("protocolVersion", undefined) }),
  spec03("V03-CARD-002.number", "The card has a number as protocolVersion.", {
    card: put("protocolVersion", 0.3),
  }),
  spec03("V03-CARD-003.unsaid", "The card has no preferredTransport.", { card: put("preferredTransport", undefined) }),
  spec03("V03-CARD-004.binding", "The entries of additionalInterfaces have protocolBinding instead of transport.", {
    card: interfaces((url) => [
      { url, transport: "JSONRPC" },
      { url, protocolBinding: "JSONRPC" },
    ]),
  }),
  spec03("V03-CARD-005.rest", 'The card names the transport HTTP+JSON "REST".', {
    card: interfaces((url) => [
      { url, transport: "JSONRPC" },
      { url, transport: "REST" },
    ]),
  }),
  spec03("V03-CARD-006.others-only", "The list additionalInterfaces omits the main URL.", {
    card: (card) => ({
      ...card,
      additionalInterfaces: (card["additionalInterfaces"] as JsonObject[]).filter(
        ({ transport }) => transport !== "JSONRPC",
      ),
    }),
  }),
  spec03(
    "V03-CARD-007.contradiction",
    "The card declares JSONRPC for its main url in one place and HTTP+JSON in another.",
    { card: interfaces((url) => [{ url, transport: "HTTP+JSON" }]) },
  ),
  spec03("V03-CARD-008.wrapped", "A security scheme on the card is wrapped as in 1.0.", {
    card: scheme({ httpAuthSecurityScheme: { scheme: "Bearer" } }),
  }),
  spec03("V03-CARD-009.location", "An API key scheme on the card has location instead of in.", {
    card: scheme({ type: "apiKey", location: "header", name: "X-API-Key" }),
  }),
  spec03("V03-CARD-010.no-scheme", "An HTTP security scheme on the card has bearerFormat and no scheme.", {
    card: scheme({ type: "http", bearerFormat: "JWT" }),
  }),
  spec03("V03-CARD-011.no-flows", "The card declares OAuth without a flow.", { card: scheme({ type: "oauth2" }) }),
  spec03("V03-CARD-011.no-token-url", "A client credentials flow on the card has no tokenUrl.", {
    card: scheme({ type: "oauth2", flows: { clientCredentials: { scopes: {} } } }),
  }),
  spec03("V03-CARD-012.issuer", "An OpenID Connect scheme on the card has issuer instead of openIdConnectUrl.", {
    card: scheme({ type: "openIdConnect", issuer: "https://login.example.com" }),
  }),
  spec03("V03-CARD-013.wrapped", "The security requirements on the card are wrapped as in 1.0.", {
    card: put("security", [{ schemes: { bearer: { list: [] } } }]),
  }),
  spec03("V03-CARD-014.names", "A skill on the card has an array of names as its security requirements.", {
    card: put("skills.0.security", ["bearer"]),
  }),
  spec03("V03-CARD-014.undeclared", "A skill on the card requires a scheme that the card does not declare.", {
    card: put("skills.0.security", [{ badge: [] }]),
  }),
  spec03("V03-CARD-015.supports", "The card declares streaming with the flag supportsStreaming.", {
    card: (card) => ({
      ...card,
      capabilities: { ...without(card["capabilities"] as JsonObject, "streaming"), supportsStreaming: true },
    }),
  }),
  spec03("CARD-014.bare-path", "The card's main url has no host.", {
    card: (card) => ({ ...card, url: new URL(String(card["url"])).pathname }),
  }),
  spec03("CARD-016.then-elsewhere", "The card points clients to an address that does not speak JSON-RPC.", {
    card: (card) => ({ ...without(card, "additionalInterfaces"), url: `${String(card["url"])}/some/where/else` }),
  }),
  spec03("CARD-017.jsonrpc-alone", "The list additionalInterfaces omits HTTP+JSON, which the agent serves.", {
    card: interfaces((url) => [{ url, transport: "JSONRPC" }]),
  }),
  spec03("CARD-035.then-in-clear", "The card has an http address for the OAuth metadata.", {
    card: scheme({
      type: "oauth2",
      flows: { clientCredentials: { tokenUrl: token, scopes: {} } },
      oauth2MetadataUrl: "http://login.example.com/.well-known/oauth-authorization-server",
    }),
  }),
  // With an alternative that requires nothing, so that the agent stays public.
  spec03("CARD-037.then-undefined", "The card requires a security scheme that it does not define.", {
    card: put("security", [{}, { bearerAuth: [] }]),
  }),
  spec03("SIG-002.then-bytes", "The card has a signature in hexadecimal.", {
    card: signed({ protected: "{}", signature: "0x00" }),
  }),
  spec03("SIG-003.then-no-alg", "The card's signature has no algorithm.", {
    card: signed({ protected: header({ typ: "JOSE" }), signature: "AAAA" }),
  }),

  spec03("V03-CARD-016.guarded", "The card requires authentication.", {
    http: changeAnswers((answer, { path, headers }) =>
      /\/\.well-known\/agent(-card)?\.json$/.test(path) && headers.authorization === undefined
        ? { status: 401, headers: { "WWW-Authenticate": "Bearer" }, body: "" }
        : answer,
    ),
  }),

  spec03(
    "V03-XCARD-001.unannounced",
    "The agent serves an extended card that its public card does not declare.",
    { card: put("supportsAuthenticatedExtendedCard", false) },
    { extended: { skills: [adminStatus] } },
  ),

  spec03(
    "EXT-001.then-names",
    "The card lists its extensions as plain strings.",
    { card: put("capabilities.extensions", [timing.uri]) },
    { extensions: [timing] },
  ),

  spec03(
    "EXT-002.then-unversioned",
    "The URI of an extension on the card has no version.",
    { card: put("capabilities.extensions.0.uri", timing.uri.replace(/:v\d+$/, "")) },
    { extensions: [timing] },
  ),

  spec03(
    "V03-EXT-001.decoration",
    "The agent serves requests that do not declare its required extension.",
    {
      admission: (admission) => ({
        ...admission,
        extensions: (head, agent) => admission.extensions(head, { ...agent, extensions: [] }),
      }),
    },
    { extensions: [acknowledgement] },
  ),

  spec03(
    "AUTH-008.bad-request",
    "Requests without credentials get HTTP 400.",
    { http: changeAnswers((answer) => (answer.status === 401 ? { ...answer, status: 400 } : answer)) },
    { access: { ...guarded, schemes: bearer } },
  ),

  spec02(
    "V02-XCARD-001.any-json",
    "The path of the extended card returns OK instead of a card.",
    {
      http: changeAnswers((answer, { path }) =>
        path.endsWith("/agent/authenticatedExtendedCard") || path.endsWith("/v1/card")
          ? { status: 200, headers: { "Content-Type": "application/json" }, body: '{"status":"ok"}' }
          : answer,
      ),
    },
    { extended },
  ),
  spec02(
    "V02-XCARD-001.nowhere",
    "The card declares an extended card, but its URL returns 404.",
    {
      http: changeAnswers((answer, { path }) =>
        path.endsWith("/agent/authenticatedExtendedCard")
          ? { status: 404, headers: { "Content-Type": "text/plain" }, body: "Not Found" }
          : answer,
      ),
    },
    { extended },
  ),

  spec02(
    "V02-XCARD-002.open",
    "The extended card is served without credentials.",
    {
      operations: intercept(["GetExtendedAgentCard"], async ({ agent, invocation }) => ({
        answer: agent.extendedCard(invocation.baseUrl),
      })),
    },
    { extended },
  ),

  spec02(
    "V02-XCARD-003.delta",
    "The extended card leaves out the public skills.",
    {
      codec: answerOf("GetExtendedAgentCard", (card) => ({
        name: card["name"]!,
        skills: (card["skills"] as JsonObject[]).slice(-1),
      })),
    },
    { extended },
  ),
];
