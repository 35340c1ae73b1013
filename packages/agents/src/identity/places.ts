// Where the OAuth server of a test bed is, and whom its tokens are for. A test bed has as many addresses as clients have
// names for it, and is another issuer at each: a client checks that the issuer is the one it asked.

/** The path of the OAuth server, below the address of the test bed. */
export const oidcPath = "/oidc";

/** Whether what is asked at a path is asked of the OAuth server: credentials go in there, and tokens come out. */
export const isLogin = (path: string): boolean => path === oidcPath || path.startsWith(`${oidcPath}/`);

export const issuerAt = (baseUrl: string): string => `${baseUrl}${oidcPath}`;

/** The address of the test bed that an issuer stands for; undefined for one that cannot be ours. */
export const baseOfIssuer = (issuer: string): string | undefined =>
  issuer.endsWith(oidcPath) && URL.canParse(issuer) ? issuer.slice(0, -oidcPath.length) : undefined;

/** The agent that tokens are for, unless a client asks for another: also agents made from it go by its name. */
export const audienceAt = (baseUrl: string): string => `${baseUrl}/secure`;
