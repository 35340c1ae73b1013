import type { ClientMetadata } from "oidc-provider";
import { allScopes, type TokenScope } from "../scopes.ts";
import { secureCallers } from "../secure-callers.ts";

type Claims = Record<string, unknown>;

/** A client that acts for itself, in the name of a caller. */
interface MachineClient {
  readonly id: string;
  readonly secret: string;
  readonly caller: string;
  readonly scopes: readonly TokenScope[];
  /** how its tokens differ from good ones */
  readonly spoils?: (claims: Claims) => Claims;
}

const now = (): number => Math.floor(Date.now() / 1000);

/** What is wrong with the tokens of some clients, so that others can try what becomes of them. */
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

/** The claims of a token as its client gets them: in the name of the caller, and not always good ones. */
export function claimsFor(clientId: string, claims: Claims): Claims {
  const client = machineClients.find(({ id }) => id === clientId);
  return client ? { ...claims, sub: client.caller, ...client.spoils?.(claims) } : claims;
}

/** The client of people, who log in by a page: it has no secret, and may be on any port of this machine. */
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
