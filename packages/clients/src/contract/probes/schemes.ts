import type { AgentDefinition } from "@assay/agents/making";

type Access = NonNullable<AgentDefinition["access"]>;

/** Credentials that are valid only for the agents of the contract. */
export const token = "contract-token-5f1c7a90";
export const apiKey = "contract-key-2b8d41ce";
export const apiKeyHeader = "X-Contract-Key";
export const apiKeyName = "contract_key";

/** Admits callers with one of these bearer tokens. */
export const bearerHolders = (...tokens: readonly string[]): Access => ({
  schemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
  challenge: 'Bearer realm="contract"',
  identify: ({ authorization }) => {
    const given = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
    return given !== undefined && (tokens.length ? tokens : [token]).includes(given) ? { name: "client" } : undefined;
  },
});

/** Declares an API key in the query or in a cookie, and admits everyone: the key is looked for in the requests. */
export const apiKeyIn = (location: "query" | "cookie"): Access => ({
  schemes: { key: { apiKeySecurityScheme: { location, name: apiKeyName } } },
  challenge: 'Bearer realm="contract"',
  identify: () => ({ name: "client" }),
});

/** Admits callers with the API key in a header that only the card names. */
export const apiKeyHolders = (): Access => ({
  schemes: { key: { apiKeySecurityScheme: { location: "header", name: apiKeyHeader } } },
  challenge: 'Bearer realm="contract"',
  identify: (headers) => (headers[apiKeyHeader.toLowerCase()] === apiKey ? { name: "client" } : undefined),
});
