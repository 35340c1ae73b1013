import type { IncomingHttpHeaders } from "node:http";
import type { Operation, SecurityScheme } from "@assay/protocol";
import type { ClientCertificate } from "@assay/wire/server";

/** Who calls an agent, once authenticated, and what this caller may not do. */
export interface Caller {
  readonly name: string;
  readonly mayNot?: readonly Operation[];
}

/** The caller, `undefined` without valid credentials, or `forbidden` for one that may do nothing at all. */
export type Identified = Caller | undefined | "forbidden";

/** What a good token says. */
export interface TokenGrant {
  readonly subject: string;
  readonly scopes: readonly string[];
}

/** Verifies access tokens: whose they are, or that they are not good here. Why not is not told. */
export interface TokenVerifier {
  verify(token: string): Promise<TokenGrant | undefined>;
}

/** What an agent knows its callers by, besides the headers of a request. */
export interface Identity {
  readonly tokens: TokenVerifier;
}

/** What can be logged in by at one address of a test bed. */
export interface Logins {
  readonly baseUrl: string;
  /** its own OAuth server */
  readonly oauth: boolean;
  /** certificates of clients, over TLS */
  readonly certificates: boolean;
}

/** How an agent knows its callers. */
export interface Access {
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
  /** those that depend on the address */
  readonly schemesAt?: (logins: Logins) => Readonly<Record<string, SecurityScheme>>;
  /** what a token of a scheme has to be good for at least, by the name of the scheme */
  readonly scopes?: Readonly<Record<string, readonly string[]>>;
  /** the scope that an operation asks for, where there are scopes */
  readonly scopeFor?: (operation: Operation) => string;
  /** for WWW-Authenticate; it begins with Bearer */
  readonly challenge: string;
  identify(
    headers: IncomingHttpHeaders,
    identity: Identity,
    certificate?: ClientCertificate,
  ): Identified | Promise<Identified>;
}

/** The token of an Authorization header that has one. */
export const bearerIn = (authorization: string | undefined): string | undefined =>
  /^bearer\s+(\S+)$/i.exec(authorization ?? "")?.[1];

/** Every client that has this token. */
export const tokenHolders = (token: string, realm: string): Access => ({
  schemes: {
    extendedCard: {
      httpAuthSecurityScheme: {
        scheme: "Bearer",
        description: "Required for the extended card only. Everything else is public.",
      },
    },
  },
  challenge: `Bearer realm="${realm}"`,
  identify: ({ authorization }) => (bearerIn(authorization) === token ? { name: "holder" } : undefined),
});

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
