import type { HeaderPairs, TlsMaterial } from "@assay/wire";

/**
 * The caller of a request: the user, an anonymous caller, another given principal, known bad credentials, or only the
 * credentials that accompany bad ones.
 */
export type PrincipalName = "user" | "anonymous" | "second" | "restricted" | `invalid:${string}` | `besides:${string}`;

/** The credentials of a principal that the agent knows. */
export interface PrincipalCredentials {
  readonly headers: HeaderPairs;
  /** query parameters, for an API key in the address */
  readonly query?: HeaderPairs;
  readonly certificate?: CertificateAndKey;
}

/** Credentials that the agent must reject. */
export interface InvalidCredentials extends PrincipalCredentials {
  /**
   * the credentials sent along with them (default: none): if those suffice alone, an accepted request proves nothing
   */
  readonly besides?: PrincipalCredentials;
}

/** A certificate with its key, as PEM. */
export type CertificateAndKey = Required<Pick<TlsMaterial, "cert" | "key">>;
