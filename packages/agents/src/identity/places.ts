// Addresses of the OAuth server and the audience of its tokens. A test bed has as many addresses as
// clients have names for it. It is a separate issuer at each, because a client checks the issuer it
// asked.

/** The path of the OAuth server, below the address of the test bed. */
export const oidcPath = "/oidc";

/** Returns true for paths of the OAuth server, which receives credentials and issues tokens. */
export const isLogin = (path: string): boolean => path === oidcPath || path.startsWith(`${oidcPath}/`);

export const issuerAt = (baseUrl: string): string => `${baseUrl}${oidcPath}`;

/** Returns the test bed address of an issuer; undefined for a foreign issuer. */
export const baseOfIssuer = (issuer: string): string | undefined =>
  issuer.endsWith(oidcPath) && URL.canParse(issuer) ? issuer.slice(0, -oidcPath.length) : undefined;

/** Returns the default audience of tokens. Agents made from this one use its name too. */
export const audienceAt = (baseUrl: string): string => `${baseUrl}/secure`;
