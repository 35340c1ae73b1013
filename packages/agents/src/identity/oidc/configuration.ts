import type { Configuration, KoaContextWithOIDC } from "oidc-provider";
import { audienceAt, oidcPath } from "../places.ts";
import { allScopes } from "../scopes.ts";
import { secureCallers } from "../secure-callers.ts";
import { tokenAlgorithm } from "../token-keys.ts";
import { claimsFor, oidcClients } from "./clients.ts";
import { errorPage } from "./pages.ts";

/** Parts that the servers of all addresses share. */
export interface OidcParts {
  readonly adapter: NonNullable<Configuration["adapter"]>;
  readonly jwks: NonNullable<Configuration["jwks"]>;
  readonly cookieKeys: string[];
}

/** seconds */
const hour = 3_600;
const day = 24 * hour;

/** Configures the OAuth server at one address. */
export const configurationAt = (baseUrl: string, { adapter, jwks, cookieKeys }: OidcParts): Configuration => ({
  adapter,
  jwks,
  cookies: { keys: cookieKeys },
  clients: oidcClients,
  clientDefaults: { id_token_signed_response_alg: tokenAlgorithm },
  scopes: ["openid", "offline_access", ...allScopes],
  ttl: {
    AccessToken: hour,
    AuthorizationCode: 60,
    ClientCredentials: hour,
    Grant: 14 * day,
    IdToken: hour,
    Interaction: hour,
    RefreshToken: 14 * day,
    Session: day,
  },
  pkce: { required: () => true },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    rpInitiatedLogout: { enabled: false },
    resourceIndicators: {
      enabled: true,
      // Few clients name the agent for which they want a token.
      defaultResource: () => audienceAt(baseUrl),
      useGrantedResource: () => true,
      getResourceServerInfo(ctx, resource) {
        grantAllUnlessAsked(ctx);
        return { audience: resource, scope: allScopes.join(" "), accessTokenFormat: "jwt" };
      },
    },
  },
  formats: {
    customizers: {
      jwt(_ctx, token, jwt) {
        jwt.payload = claimsFor(token.clientId ?? "", jwt.payload) as typeof jwt.payload;
      },
    },
  },
  findAccount: (_ctx, name) =>
    secureCallers.some((caller) => caller.name === name)
      ? { accountId: name, claims: async () => ({ sub: name }) }
      : undefined,
  interactions: { url: (_ctx, { uid }) => `${new URL(baseUrl).pathname.replace(/\/$/, "")}${oidcPath}/login/${uid}` },
  loadExistingGrant: grantWhatIsAsked,
  renderError(ctx, { error, error_description }) {
    ctx.type = "html";
    ctx.body = errorPage(error, error_description);
  },
});

/** Grants all allowed scopes to a client that names none (RFC 6749 §3.3 permits it). */
function grantAllUnlessAsked({ oidc }: KoaContextWithOIDC): void {
  const params = oidc.params as { grant_type?: string; scope?: string | undefined } | undefined;
  if (params?.grant_type === "client_credentials" && params.scope === undefined) params.scope = oidc.client?.scope;
}

/** Asks people for their password only, without a consent page. */
const grantWhatIsAsked: NonNullable<Configuration["loadExistingGrant"]> = async ({ oidc }) => {
  const { provider, client, session, params } = oidc;
  const grant = new provider.Grant({ clientId: client!.clientId, accountId: session!.accountId! });
  const scope = String(params?.["scope"] ?? "");
  grant.addOIDCScope(scope);
  for (const resource of Object.keys(oidc.resourceServers ?? {})) grant.addResourceScope(resource, scope);
  await grant.save();
  return grant;
};
