import type { IncomingHttpHeaders } from "node:http";
import type { Operation, SecurityScheme } from "@assay/protocol";
import type { ClientCertificate } from "@assay/wire/server";

/** An authenticated caller of an agent, and the operations it may not use. */
export interface Caller {
  readonly name: string;
  readonly mayNot?: readonly Operation[];
}

/** The caller, `undefined` without valid credentials, or `forbidden` for one that may do nothing at all. */
export type Identified = Caller | undefined | "forbidden";

/** The content of a valid token. */
export interface TokenGrant {
  readonly subject: string;
  readonly scopes: readonly string[];
}

/** Verifies access tokens and returns whose they are. The reason of a rejection is not disclosed. */
export interface TokenVerifier {
  verify(token: string): Promise<TokenGrant | undefined>;
}

/** Identifies callers by more than the headers of a request. */
export interface Identity {
  readonly tokens: TokenVerifier;
}

/** The login methods at one address of a test bed. */
export interface Logins {
  readonly baseUrl: string;
  /** the built-in OAuth server */
  readonly oauth: boolean;
  /** client certificates over TLS */
  readonly certificates: boolean;
}

/** The authentication of an agent's callers. */
export interface Access {
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
  /** those that depend on the address */
  readonly schemesAt?: (logins: Logins) => Readonly<Record<string, SecurityScheme>>;
  /** the scopes that a token of a scheme needs at least, by the name of the scheme */
  readonly scopes?: Readonly<Record<string, readonly string[]>>;
  /** the scope that an operation requires, if there are scopes */
  readonly scopeFor?: (operation: Operation) => string;
  /** for WWW-Authenticate; starts with Bearer */
  readonly challenge: string;
  identify(
    headers: IncomingHttpHeaders,
    identity: Identity,
    certificate?: ClientCertificate,
  ): Identified | Promise<Identified>;
}

/** Returns the token of a Bearer Authorization header. */
export const bearerIn = (authorization: string | undefined): string | undefined =>
  /^bearer\s+(\S+)$/i.exec(authorization ?? "")?.[1];

/** Admits every client that has this token. */
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

/** The tokens of the ACTS corpus: a valid one, one of another caller, and one without enough permission. */
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
