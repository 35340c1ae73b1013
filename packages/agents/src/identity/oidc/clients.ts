import type { ClientMetadata } from "oidc-provider";
import { allScopes, type TokenScope } from "../scopes.ts";
import { secureCallers } from "../secure-callers.ts";

type Claims = Record<string, unknown>;

/** An OAuth client without a user, on behalf of a caller. */
interface MachineClient {
  readonly id: string;
  readonly secret: string;
  readonly caller: string;
  readonly scopes: readonly TokenScope[];
  /** changes its tokens to invalid ones */
  readonly spoils?: (claims: Claims) => Claims;
}

const now = (): number => Math.floor(Date.now() / 1000);

/** Clients whose tokens are invalid in one way, so that client authors can test their errors. */
const spoilers: Readonly<Record<string, (claims: Claims) => Claims>> = {
  expired: () => ({ iat: now() - 7_200, exp: now() - 3_600 }),
  "not-yet": () => ({ nbf: now() + 3_600 }),
  elsewhere: () => ({ aud: "https://elsewhere.example/agent" }),
  "other-issuer": () => ({ iss: "https://elsewhere.example/oidc" }),
};

const machineClients: readonly MachineClient[] = secureCallers.flatMap(({ name, clientSecret: secret, scopes }) => [
  { id: name, secret, caller: name, scopes },
  ...Object.entries(spoilers).map(([spoiled, spoils]) => ({
    id: `${name}-${spoiled}`,
    secret,
    caller: name,
    scopes,
    spoils,
  })),
]);

/** Returns the claims of a client's token: in the name of its caller, and sometimes invalid. */
export function claimsFor(clientId: string, claims: Claims): Claims {
  const client = machineClients.find(({ id }) => id === clientId);
  return client ? { ...claims, sub: client.caller, ...client.spoils?.(claims) } : claims;
}

/** The client for people, who log in on a page: it has no secret and may use any local port. */
const consoleClient: ClientMetadata = {
  client_id: "console",
  application_type: "native",
  token_endpoint_auth_method: "none",
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
  redirect_uris: ["http://127.0.0.1/callback", "http://localhost/callback", "http://[::1]/callback"],
  scope: ["openid", "offline_access", ...allScopes].join(" "),
};

export const oidcClients: readonly ClientMetadata[] = [
  consoleClient,
  ...machineClients.map(
    ({ id, secret, scopes }): ClientMetadata => ({
      client_id: id,
      client_secret: secret,
      grant_types: ["client_credentials"],
      response_types: [],
      redirect_uris: [],
      scope: scopes.join(" "),
    }),
  ),
];
