import type { SecurityScheme } from "@assay/protocol";
import type { Access, Caller, Identity, Logins } from "../definition/access.ts";
import { issuerAt } from "./places.ts";
import { basicScopes, forbiddenWith, scopeFor, scopeMeanings } from "./scopes.ts";
import type { KnownCaller } from "./secure-callers.ts";

/** Lists the credentials on the card, because test data is public. */
const known = (callers: readonly KnownCaller[], what: "apiKey" | "password" | "token" | "clientSecret"): string =>
  `Test data: ${callers.map((caller) => `${caller.name} has ${caller[what]}`).join(", ")}`;

/**
 * Accepts an API key, Basic, an opaque token, a token of the built-in OAuth server, or a client certificate.
 * Credentials in the request take precedence over the certificate of its connection.
 */
export const callersWithKeys = (callers: readonly KnownCaller[]): Access => ({
  schemes: {
    apiKey: { apiKeySecurityScheme: { location: "header", name: "X-API-Key", description: known(callers, "apiKey") } },
    basic: { httpAuthSecurityScheme: { scheme: "Basic", description: known(callers, "password") } },
    bearer: { httpAuthSecurityScheme: { scheme: "Bearer", description: known(callers, "token") } },
  },
  schemesAt: ({ baseUrl, oauth, certificates }) => ({
    ...(oauth && oauthSchemes(baseUrl, callers)),
    ...(certificates && { certificate: { mtlsSecurityScheme: { description: certificateTerms(callers) } } }),
  }),
  scopes: Object.fromEntries(["clientCredentials", "authorizationCode", "openId"].map((name) => [name, basicScopes])),
  scopeFor,
  challenge: 'Bearer realm="secure", Basic realm="secure", ApiKey realm="secure"',
  identify(headers, identity, certificate) {
    const key = headers["x-api-key"];
    if (certificate && headers.authorization === undefined && key === undefined)
      return callers.find(({ name }) => name === certificate.name);
    const [scheme = "", value = ""] = (headers.authorization ?? "").split(/\s+/, 2);
    const kind = scheme.toLowerCase();
    const pair = kind === "basic" ? Buffer.from(value, "base64").toString() : undefined;
    const caller = callers.find(
      ({ name, token, apiKey, password }) =>
        (kind === "bearer" && value === token) || pair === `${name}:${password}` || (kind === "" && key === apiKey),
    );
    return caller === undefined && kind === "bearer" && isJwt(value) ? byToken(value, callers, identity) : caller;
  },
});

const certificateTerms = (callers: readonly KnownCaller[]): string =>
  `A client certificate from the authority that the operator configured. Its common name is one of ${callers.map(({ name }) => name).join(", ")}`;

const isJwt = (token: string): boolean => token.split(".").length === 3;

/** Returns the caller of a token, without the operations that the token's scopes do not allow. */
async function byToken(
  token: string,
  callers: readonly KnownCaller[],
  { tokens }: Identity,
): Promise<Caller | undefined> {
  const grant = await tokens.verify(token);
  const caller = callers.find(({ name }) => name === grant?.subject);
  if (!grant || !caller) return undefined;
  return { ...caller, mayNot: [...new Set([...(caller.mayNot ?? []), ...forbiddenWith(grant.scopes)])] };
}

function oauthSchemes(baseUrl: Logins["baseUrl"], callers: readonly KnownCaller[]): Record<string, SecurityScheme> {
  const issuer = issuerAt(baseUrl);
  const tokenUrl = `${issuer}/token`;
  const authorizationUrl = `${issuer}/auth`;
  // The metadata of RFC 8414 is fetched over TLS.
  const metadata = issuer.startsWith("https:")
    ? { oauth2MetadataUrl: `${issuer}/.well-known/oauth-authorization-server` }
    : {};
  const scopes = { ...scopeMeanings };
  return {
    jwt: {
      httpAuthSecurityScheme: {
        scheme: "Bearer",
        bearerFormat: "JWT",
        description: `An access token from ${issuer} for ${baseUrl}/secure`,
      },
    },
    clientCredentials: {
      oauth2SecurityScheme: {
        description: known(callers, "clientSecret"),
        flows: { clientCredentials: { tokenUrl, scopes } },
        ...metadata,
      },
    },
    authorizationCode: {
      oauth2SecurityScheme: {
        description: `${known(callers, "password")}; the client is console, without a secret`,
        flows: { authorizationCode: { authorizationUrl, tokenUrl, scopes, pkceRequired: true } },
        ...metadata,
      },
    },
    openId: { openIdConnectSecurityScheme: { openIdConnectUrl: `${issuer}/.well-known/openid-configuration` } },
  };
}
