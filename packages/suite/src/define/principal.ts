import type { HeaderPairs, TlsMaterial } from "@assay/wire";

/**
 * On whose behalf a request is made: with the user's own credentials, without any, with others that were given, with some
 * that are known to be bad, or with what is shown besides those.
 */
export type PrincipalName = "user" | "anonymous" | "second" | "restricted" | `invalid:${string}` | `besides:${string}`;

/** A principal that the agent knows: what it is shown as credentials. */
export interface PrincipalCredentials {
  readonly headers: HeaderPairs;
  /** parameters of the address: an API key that stands there */
  readonly query?: HeaderPairs;
  readonly certificate?: CertificateAndKey;
}

/** What the agent has to refuse. */
export interface InvalidCredentials extends PrincipalCredentials {
  /** what else is shown with them: where that is enough by itself, nothing follows from an answer; nothing, unless given */
  readonly besides?: PrincipalCredentials;
}

/** A certificate with its key, as PEM. */
export type CertificateAndKey = Required<Pick<TlsMaterial, "cert" | "key">>;
