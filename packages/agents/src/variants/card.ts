import type { JsonObject } from "@assay/protocol";
import { type Divergence, full, secure, spec } from "../definition/divergence.ts";
import { changeAnswers } from "../mutation/http.ts";
import { eachMember } from "../mutation/json.ts";
import { canonical, signAnew } from "../mutation/signing.ts";

const token = "https://login.example.com/token";
const oauth = (flows: JsonObject): JsonObject => ({ oauth2SecurityScheme: { flows } });

/** One scheme of each kind, and one for each OAuth flow (AMB-47), besides those that the agent requires. */
const moreSchemes: JsonObject = {
  oauth: {
    oauth2SecurityScheme: {
      flows: {
        authorizationCode: {
          authorizationUrl: "https://login.example.com/authorize",
          tokenUrl: token,
          scopes: { read: "See tasks" },
          pkceRequired: true,
        },
      },
      oauth2MetadataUrl: "https://login.example.com/.well-known/oauth-authorization-server",
    },
  },
  machine: oauth({ clientCredentials: { tokenUrl: token, scopes: { read: "See tasks" } } }),
  device: oauth({
    deviceCode: { deviceAuthorizationUrl: "https://login.example.com/device", tokenUrl: token, scopes: {} },
  }),
  openId: {
    openIdConnectSecurityScheme: { openIdConnectUrl: "https://login.example.com/.well-known/openid-configuration" },
  },
  mtls: { mtlsSecurityScheme: {} },
};

const validators = ["ETag", "Last-Modified", "Cache-Control"];

/** Valid cards in unusual forms. */
export const cardVariants: readonly Divergence[] = [
  // AMB-48: members for clients of 0.3 are harmless if they agree with the rest. Python adds them.
  spec("legacy-card", "The card has members of 0.3 and others that are in no version.", {
    card: (card) => {
      const [first] = card["supportedInterfaces"] as JsonObject[];
      return {
        ...card,
        url: first!["url"]!,
        preferredTransport: "JSONRPC",
        protocolVersion: "0.3.0",
        "x-tier": "gold",
      };
    },
  }),

  // AMB-21 shows the empty list of scopes. ProtoJSON printers omit it (A32), and so does the base agent.
  secure("listed-scopes", "Security requirements list an empty array of scopes.", {
    card: (card) =>
      eachMember(card, "schemes", (schemes) =>
        Object.fromEntries(Object.keys(schemes as JsonObject).map((name) => [name, { list: [] }])),
      ) as JsonObject,
  }),

  // A38: Python 1.1.0 sends neither validators nor Cache-Control.
  spec("uncached-card", "The card has no caching headers.", {
    http: changeAnswers((answer) => {
      const headers = Object.entries(answer.headers).filter(([name]) => !validators.includes(name));
      return { ...answer, headers: Object.fromEntries(headers) };
    }),
  }),

  // DATA-033: ProtoJSON readers treat null as absent.
  spec("null-members", "The card has null for every member it does not use.", {
    card: (card) => ({ ...card, documentationUrl: null, iconUrl: null }),
  }),

  secure("full-card", "The card has every member that a card can have.", {
    card: (card, baseUrl) => ({
      ...card,
      documentationUrl: `${baseUrl}/docs`,
      iconUrl: `${baseUrl}/icon.svg`,
      securitySchemes: { ...(card["securitySchemes"] as JsonObject), ...moreSchemes },
      skills: (card["skills"] as JsonObject[]).map((skill) => ({
        ...skill,
        inputModes: ["text/plain"],
        outputModes: ["text/plain", "application/json"],
        securityRequirements: [{ schemes: { bearer: {} } }, { schemes: { oauth: { list: ["read"] }, apiKey: {} } }],
      })),
    }),
  }),

  // SIG-015: during a key rotation a card has two signatures.
  full("two-signatures", "The card has two independent signatures.", () => ({
    http: signAnew({ more: (_first, card, signer) => [signer(canonical(card))] }),
  })),
];
