import { createSecureContext, rootCertificates, type SecureContext, type SecureVersion } from "node:tls";
import type { BoundCredentials } from "./bound-credentials.ts";

/** PEM texts from the user. */
export interface TlsMaterial {
  /** A private certificate authority, trusted in addition to the public ones. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Accept invalid certificates. */
  readonly insecure?: boolean;
}

export interface TlsTrust {
  readonly secureContext: SecureContext;
  readonly rejectUnauthorized: boolean;
}

/** Created once per client: parsing the public roots for every connection would cost more than the handshake. */
export function createTlsTrust(
  { ca, cert, key, insecure = false }: TlsMaterial = {},
  /** allow only this version */
  version?: SecureVersion,
): TlsTrust {
  const secureContext = createSecureContext({
    ...(ca && { ca: [...rootCertificates, ca] }),
    ...(cert && { cert }),
    ...(key && { key }),
    // Old TLS versions need a lower security level.
    ...(version && { minVersion: version, maxVersion: version, ciphers: "DEFAULT@SECLEVEL=0" }),
  });
  return { secureContext, rejectUnauthorized: !insecure };
}

/**
 * Returns the TLS settings per address: a client certificate is a credential, and is sent only where credentials may
 * go.
 */
export function tlsTrustFor(
  { tls = {}, credentials }: { readonly tls?: TlsMaterial; readonly credentials?: BoundCredentials },
  whole: TlsTrust,
): (url: URL) => TlsTrust {
  const { cert, key: _, ...bare } = tls;
  if (!credentials || cert === undefined) return () => whole;
  const anonymous = createTlsTrust(bare);
  return (url) => (credentials.mayGoTo(url) ? whole : anonymous);
}
