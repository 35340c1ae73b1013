import { isObject, type JsonObject, type JsonValue, type SecurityScheme } from "@assay/protocol";
import { tokenHolders } from "../definition/access.ts";
import { type Divergence, spec03 } from "../definition/divergence.ts";
import { acknowledgement, timing } from "../definition/extensions.ts";
import { changeAnswers } from "../mutation/http.ts";
import { answerOf, edited, without } from "../mutation/json.ts";
import { intercept } from "../mutation/operations.ts";
import { adminStatus } from "../skills/admin-status.ts";

// What cards of 0.3 and 0.2 have otherwise than those of 1.0; edits that both of them have a place for.

type Edit = (card: JsonObject, baseUrl: string) => JsonObject;

const put =
  (path: string, value: JsonValue | undefined): Edit =>
  (card) =>
    edited(card, path, value);

/** A security scheme more than the agent asks for, broken in the way the mutant is about. */
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

/** Another list of interfaces, made from the main address. */
const interfaces =
  (list: (url: string) => JsonValue): Edit =>
  (card) => ({ ...card, additionalInterfaces: list(String(card["url"])) });

const signed = (signature: JsonValue): Edit => put("signatures", [signature]);
const header = (json: JsonObject): string => Buffer.from(JSON.stringify(json)).toString("base64url");

const edits: readonly (readonly [id: string, does: string, edit: Edit])[] = [
  ["V03-CARD-001.number", "Its card gives its address as a number.", put("url", 8080)],
  ["V03-CARD-002.undated", "The card has no protocolVersion.", put("protocolVersion", undefined)],
  ["V03-CARD-002.number", "Its card gives the version of the protocol as a number.", put("protocolVersion", 0.3)],
  ["V03-CARD-003.unsaid", "The card has no preferredTransport.", put("preferredTransport", undefined)],
  [
    "V03-CARD-004.binding",
    "The entries of additionalInterfaces have protocolBinding instead of transport.",
    interfaces((url) => [
      { url, transport: "JSONRPC" },
      { url, protocolBinding: "JSONRPC" },
    ]),
  ],
  [
    "V03-CARD-005.rest",
    'The card calls the transport HTTP+JSON "REST".',
    interfaces((url) => [
      { url, transport: "JSONRPC" },
      { url, transport: "REST" },
    ]),
  ],
  [
    "V03-CARD-006.others-only",
    "The list additionalInterfaces leaves out the main address.",
    (card) => ({
      ...card,
      additionalInterfaces: (card["additionalInterfaces"] as JsonObject[]).filter(
        ({ transport }) => transport !== "JSONRPC",
      ),
    }),
  ],
  [
    "V03-CARD-007.contradiction",
    "The card declares JSONRPC for its main url in one place and HTTP+JSON in another.",
    interfaces((url) => [{ url, transport: "HTTP+JSON" }]),
  ],
  [
    "V03-CARD-008.wrapped",
    "A security scheme on the card is wrapped as in 1.0.",
    scheme({ httpAuthSecurityScheme: { scheme: "Bearer" } }),
  ],
  [
    "V03-CARD-009.location",
    "An API key scheme on the card has location instead of in.",
    scheme({ type: "apiKey", location: "header", name: "X-API-Key" }),
  ],
  [
    "V03-CARD-010.no-scheme",
    "An HTTP security scheme on the card has bearerFormat and no scheme.",
    scheme({ type: "http", bearerFormat: "JWT" }),
  ],
  ["V03-CARD-011.no-flows", "Its card declares OAuth without a flow.", scheme({ type: "oauth2" })],
  [
    "V03-CARD-011.no-token-url",
    "A client credentials flow on the card has no tokenUrl.",
    scheme({ type: "oauth2", flows: { clientCredentials: { scopes: {} } } }),
  ],
  [
    "V03-CARD-012.issuer",
    "An OpenID Connect scheme on the card has issuer instead of openIdConnectUrl.",
    scheme({ type: "openIdConnect", issuer: "https://login.example.com" }),
  ],
  [
    "V03-CARD-013.wrapped",
    "The security requirements on the card are wrapped as in 1.0.",
    put("security", [{ schemes: { bearer: { list: [] } } }]),
  ],
  [
    "V03-CARD-014.names",
    "A skill on the card gives its security requirements as a list of names.",
    put("skills.0.security", ["bearer"]),
  ],
  [
    "V03-CARD-014.undeclared",
    "A skill on its card asks for a scheme that the card does not declare.",
    put("skills.0.security", [{ badge: [] }]),
  ],
  [
    "V03-CARD-015.supports",
    "The card declares streaming with a flag supportsStreaming.",
    (card) => ({
      ...card,
      capabilities: { ...without(card["capabilities"] as JsonObject, "streaming"), supportsStreaming: true },
    }),
  ],
  [
    "CARD-014.bare-path",
    "Its card gives its main address without the host.",
    (card) => ({ ...card, url: new URL(String(card["url"])).pathname }),
  ],
  [
    "CARD-016.then-elsewhere",
    "Its card sends clients to an address that does not speak JSON-RPC.",
    (card) => ({ ...without(card, "additionalInterfaces"), url: `${String(card["url"])}/some/where/else` }),
  ],
  [
    "CARD-017.jsonrpc-alone",
    "The list additionalInterfaces leaves out HTTP+JSON, which the agent serves.",
    interfaces((url) => [{ url, transport: "JSONRPC" }]),
  ],
  [
    "CARD-035.then-in-clear",
    "Its card gives the metadata of OAuth at a plain http address.",
    scheme({
      type: "oauth2",
      flows: { clientCredentials: { tokenUrl: token, scopes: {} } },
      oauth2MetadataUrl: "http://login.example.com/.well-known/oauth-authorization-server",
    }),
  ],
  [
    "CARD-037.then-undefined",
    "Its card requires a security scheme that it does not define.",
    // With another way in that asks for nothing, so that the agent is still one that is open to all.
    put("security", [{}, { bearerAuth: [] }]),
  ],
  ["SIG-002.then-bytes", "Its card has a signature in hexadecimal.", signed({ protected: "{}", signature: "0x00" })],
  [
    "SIG-003.then-no-alg",
    "The signature of its card names no algorithm.",
    signed({ protected: header({ typ: "JOSE" }), signature: "AAAA" }),
  ],
];

/** For those who have the token, with a login that the card declares. */
const guarded = tokenHolders("agentbin-test-token", "extended card");
const extended = { access: guarded, skills: [adminStatus] };
const bearer: Readonly<Record<string, SecurityScheme>> = { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } };

/** An agent of an older version as it stands, with something more, and wrong in that. */
const more = (id: string, base: string, does: string, differs: ReturnType<Divergence["differs"]>): Divergence => ({
  id,
  base,
  does,
  differs: () => differs,
});

export const olderCardMutants: readonly Divergence[] = [
  ...edits.map(([id, does, card]) => spec03(id, does, { card })),

  spec03("V03-CARD-016.guarded", "The card needs a login.", {
    http: changeAnswers((answer, { path, headers }) =>
      /\/\.well-known\/agent(-card)?\.json$/.test(path) && headers.authorization === undefined
        ? { status: 401, headers: { "WWW-Authenticate": "Bearer" }, body: "" }
        : answer,
    ),
  }),

  more(
    "V03-XCARD-001.unannounced",
    "spec03",
    "The agent serves an extended card that its public card does not declare.",
    {
      extended: { skills: [adminStatus] },
      layers: { card: put("supportsAuthenticatedExtendedCard", false) },
    },
  ),

  more("EXT-001.then-names", "spec03", "Its card lists its extensions as plain strings.", {
    extensions: [timing],
    layers: { card: put("capabilities.extensions", [timing.uri]) },
  }),

  more("EXT-002.then-unversioned", "spec03", "The URI of an extension on its card has no version.", {
    extensions: [timing],
    layers: { card: put("capabilities.extensions.0.uri", timing.uri.replace(/:v\d+$/, "")) },
  }),

  more("V03-EXT-001.decoration", "spec03", "The agent serves requests that do not declare its required extension.", {
    extensions: [acknowledgement],
    layers: {
      admission: (admission) => ({
        ...admission,
        extensions: (head, agent) => admission.extensions(head, { ...agent, extensions: [] }),
      }),
    },
  }),

  more("AUTH-008.bad-request", "spec03", "Calls requests without credentials bad requests.", {
    access: { ...guarded, schemes: bearer },
    layers: { http: changeAnswers((answer) => (answer.status === 401 ? { ...answer, status: 400 } : answer)) },
  }),

  more("V02-XCARD-001.any-json", "spec02", "Answers where its extended card should be that all is well.", {
    extended,
    layers: {
      http: changeAnswers((answer, { path }) =>
        path.endsWith("/agent/authenticatedExtendedCard") || path.endsWith("/v1/card")
          ? { status: 200, headers: { "Content-Type": "application/json" }, body: '{"status":"ok"}' }
          : answer,
      ),
    },
  }),
  more("V02-XCARD-001.nowhere", "spec02", "The card declares an extended card, and its address returns 404.", {
    extended,
    layers: {
      http: changeAnswers((answer, { path }) =>
        path.endsWith("/agent/authenticatedExtendedCard")
          ? { status: 404, headers: { "Content-Type": "text/plain" }, body: "Not Found" }
          : answer,
      ),
    },
  }),

  more("V02-XCARD-002.open", "spec02", "The extended card is served without credentials.", {
    extended,
    layers: {
      operations: intercept(["GetExtendedAgentCard"], async ({ agent, invocation }) => ({
        answer: agent.extendedCard(invocation.baseUrl),
      })),
    },
  }),

  more("V02-XCARD-003.delta", "spec02", "The extended card has only the additional skills.", {
    extended,
    layers: {
      codec: answerOf("GetExtendedAgentCard", (card) => ({
        name: card["name"]!,
        skills: (card["skills"] as JsonObject[]).slice(-1),
      })),
    },
  }),
];
