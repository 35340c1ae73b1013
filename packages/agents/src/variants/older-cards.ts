import type { JsonObject, JsonValue } from "@assay/protocol";
import { tokenHolders } from "../definition/access.ts";
import type { AgentDefinition } from "../definition/agent.ts";
import { type Divergence, spec02, spec03 } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { refusesFor } from "../mutation/admission.ts";
import { changeAnswers } from "../mutation/http.ts";
import { edited, without } from "../mutation/json.ts";
import { adminStatus } from "../skills/admin-status.ts";

const token = "https://login.example.com/token";

/** Requires the token, and declares the login on the card. */
const login = tokenHolders("agentbin-test-token", "everything");
const guarded = { ...login, schemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } } };

/** Further schemes, in the OpenAPI format. One OAuth scheme may have several flows. */
const moreSchemes: JsonObject = {
  key: { type: "apiKey", in: "header", name: "X-API-Key" },
  oauth: {
    type: "oauth2",
    flows: {
      authorizationCode: {
        authorizationUrl: "https://login.example.com/authorize",
        tokenUrl: token,
        scopes: { read: "See tasks" },
      },
      clientCredentials: { tokenUrl: token, scopes: {} },
      implicit: { authorizationUrl: "https://login.example.com/authorize", scopes: {} },
      password: { tokenUrl: token, scopes: {} },
    },
  },
  openId: {
    type: "openIdConnect",
    openIdConnectUrl: "https://login.example.com/.well-known/openid-configuration",
  },
};

const withSchemes = (card: JsonObject, schemes: JsonObject): JsonObject => ({
  ...card,
  documentationUrl: "https://agent.example.com/docs",
  iconUrl: "https://agent.example.com/icon.svg",
  securitySchemes: { ...(card["securitySchemes"] as JsonObject), ...schemes },
  security: [{ bearer: [] }, { oauth: ["read"], key: [] }],
  skills: (card["skills"] as JsonObject[]).map((skill) => ({
    ...skill,
    inputModes: ["text/plain"],
    outputModes: ["text/plain", "application/json"],
  })),
});

const metadata = "https://login.example.com/.well-known/oauth-authorization-server";
const header = Buffer.from(JSON.stringify({ alg: "ES256", kid: "then" })).toString("base64url");

/** Serves the public card at /v1/card to unauthenticated callers. */
function publicCardAtV1(): Layers {
  let known: JsonObject = {};
  return {
    card(card) {
      known = card;
      return card;
    },
    http: (serve) => (request, reply) => {
      const isStranger = request.headers["authorization"] === undefined;
      if (request.method !== "GET" || !request.path.endsWith("/v1/card") || !isStranger) return serve(request, reply);
      reply.send(200, { "Content-Type": "application/json" }, JSON.stringify(known));
    },
  };
}

/** Removes a member of the base, which the type of a declaration does not allow. */
const none = { extended: undefined } as unknown as Partial<AgentDefinition>;

/** Cards and logins before 1.0, as the SDKs of that time write them (docs/spec/real-world.md). */
export const olderCardVariants: readonly Divergence[] = [
  // docs/spec/dialects.md §1.1: some 0.3 servers have one address for both cards and return the
  // card for the caller.
  spec03(
    "public-v1-card-03",
    "Over HTTP+JSON, unauthenticated callers get the public card from the extended card path.",
    publicCardAtV1,
  ),
  spec02(
    "public-v1-card-02",
    "Has an extended card beside its address, and serves the public card to everyone at /v1/card.",
    publicCardAtV1(),
    { extended: { access: tokenHolders("agentbin-test-token", "extended card"), skills: [adminStatus] } },
  ),

  spec03(
    "full-card-03",
    "Requires a login, and its card has every member that a 0.3 card can have.",
    {
      card: (card) => ({
        ...edited(
          withSchemes(card, { ...moreSchemes, mtls: { type: "mutualTLS" } }),
          "securitySchemes.oauth.oauth2MetadataUrl",
          metadata,
        ),
        signatures: [{ protected: header, signature: "AAAA", header: { note: "unverifiable" } }],
        skills: (withSchemes(card, {})["skills"] as JsonObject[]).map((skill) => ({
          ...skill,
          security: [{ bearer: [] }, { oauth: ["read"] }] as JsonValue,
        })),
      }),
    },
    { access: guarded },
  ),

  spec02(
    "full-card-02",
    "Requires a login, and its card has every member that a 0.2 card can have.",
    {
      card: (card) => ({
        ...withSchemes(card, moreSchemes),
        preferredTransport: "JSONRPC",
        additionalInterfaces: [{ url: card["url"]!, transport: "JSONRPC" }],
      }),
    },
    { access: guarded },
  ),

  // Before 0.2.5 cards had no version.
  spec02("undated-02", "The card does not declare its version.", {
    card: (card) => without(card, "protocolVersion"),
  }),

  // A39: the compat layer of the JS SDK.
  spec03("compat-card-03", "The card omits its main interface from the list, and its version has no patch number.", {
    card: (card) => ({
      ...card,
      protocolVersion: "0.3",
      additionalInterfaces: (card["additionalInterfaces"] as JsonObject[]).filter(
        ({ transport }) => transport !== "JSONRPC",
      ),
    }),
  }),

  // The schema omits requirements of the text, and some printers write null for missing members.
  spec03("sparse-card-03", "The card omits optional members, or has null for them.", {
    card: (card) => ({
      ...without(without(card, "preferredTransport"), "additionalInterfaces"),
      provider: null,
      documentationUrl: null,
      iconUrl: null,
    }),
  }),

  // The text of 0.3 allows 403 besides 401.
  spec03(
    "forbids-strangers-03",
    "Rejects callers without credentials with HTTP 403.",
    {
      admission: refusesFor("authenticate", "PermissionDenied", "Authenticate first"),
    },
    { access: guarded },
  ),

  // A44: the Python SDK returns an internal error over JSON-RPC, and has no such route over
  // HTTP+JSON.
  spec03(
    "no-extended-card-03",
    "Rejects requests for the extended card as the Python SDK does.",
    {
      http: changeAnswers((answer, { path }) => {
        if (path.endsWith("/v1/card"))
          return { status: 404, headers: { "Content-Type": "application/json" }, body: '{"detail":"Not Found"}' };
        const body = String(answer.body);
        return body.includes("no extended card") ? { ...answer, body: body.replace("-32004", "-32603") } : answer;
      }),
    },
    none,
  ),
];
