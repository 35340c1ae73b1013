import type { IncomingHttpHeaders } from "node:http";
import type { Operation, SecurityScheme } from "@assay/protocol";

/** Who calls an agent, once authenticated, and what this caller may not do. */
export interface Caller {
  readonly name: string;
  readonly mayNot?: readonly Operation[];
}

/** How an agent knows its callers. */
export interface Access {
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
  /** for WWW-Authenticate */
  readonly challenge: string;
  /** The caller, `undefined` without valid credentials, or `forbidden` for one that may do nothing at all. */
  identify(headers: IncomingHttpHeaders): Caller | undefined | "forbidden";
}

interface Credentials extends Caller {
  readonly token: string;
  readonly apiKey: string;
  readonly password: string;
}

/** The three callers that `/secure` knows. Their credentials are public test data; the agent's page lists them. */
export const secureCallers: readonly Credentials[] = [
  { name: "alice", token: "alice-token", apiKey: "alice-key", password: "alice-password" },
  { name: "bob", token: "bob-token", apiKey: "bob-key", password: "bob-password" },
  {
    name: "carol",
    token: "carol-token",
    apiKey: "carol-key",
    password: "carol-password",
    mayNot: [
      "CancelTask",
      "CreateTaskPushNotificationConfig",
      "DeleteTaskPushNotificationConfig",
      "GetExtendedAgentCard",
    ],
  },
];

/** Test data is no secret: the card itself says who knows what. */
const known = (callers: readonly Credentials[], what: "apiKey" | "password" | "token"): string =>
  `Test data: ${callers.map((caller) => `${caller.name} has ${caller[what]}`).join(", ")}`;

/** API key, Basic or Bearer: any one of them will do. */
export const callersWithKeys = (callers: readonly Credentials[]): Access => ({
  schemes: {
    apiKey: { apiKeySecurityScheme: { location: "header", name: "X-API-Key", description: known(callers, "apiKey") } },
    basic: { httpAuthSecurityScheme: { scheme: "Basic", description: known(callers, "password") } },
    bearer: { httpAuthSecurityScheme: { scheme: "Bearer", description: known(callers, "token") } },
  },
  challenge: 'Bearer realm="secure", Basic realm="secure", ApiKey realm="secure"',
  identify(headers) {
    const key = headers["x-api-key"];
    const [scheme = "", value = ""] = (headers.authorization ?? "").split(/\s+/, 2);
    const kind = scheme.toLowerCase();
    const pair = kind === "basic" ? Buffer.from(value, "base64").toString() : undefined;
    return callers.find(
      ({ name, token, apiKey, password }) =>
        (kind === "bearer" && value === token) || pair === `${name}:${password}` || (kind === "" && key === apiKey),
    );
  },
});

/** Every client that has this token. */
export const tokenHolders = (token: string, realm: string): Access => ({
  schemes: {
    extendedCard: {
      httpAuthSecurityScheme: {
        scheme: "Bearer",
        description: "Needed for the extended card only; everything else is open.",
      },
    },
  },
  challenge: `Bearer realm="${realm}"`,
  identify: ({ authorization }) => (bearerIn(authorization) === token ? { name: "holder" } : undefined),
});

const bearerIn = (authorization: string | undefined): string | undefined =>
  /^bearer\s+(\S+)$/i.exec(authorization ?? "")?.[1];

/** The tokens of the ACTS corpus: one that is good, one of another caller, one that is not enough. */
export const actsTokens: Access = {
  schemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
  challenge: 'Bearer realm="acts"',
  identify({ authorization }) {
    const token = bearerIn(authorization);
    if (token === "itk-valid-token") return { name: "itk" };
    if (token === "itk-other-token") return { name: "other" };
    return token === "itk-insufficient-token" ? "forbidden" : undefined;
  },
};
