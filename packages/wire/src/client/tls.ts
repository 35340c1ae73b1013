import { createSecureContext, rootCertificates, type SecureContext, type SecureVersion } from "node:tls";
import type { BoundCredentials } from "./bound-credentials.ts";

/** PEM texts, as the user handed them in. */
export interface TlsMaterial {
  /** A company's certificate authority; trusted besides the public ones, not instead of them. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** Talk to servers whose certificate proves nothing. */
  readonly insecure?: boolean;
}

export interface TlsTrust {
  readonly secureContext: SecureContext;
  readonly rejectUnauthorized: boolean;
}

/** Made once per client: parsing the public roots for every connection would cost more than the handshake. */
export function createTlsTrust(
  { ca, cert, key, insecure = false }: TlsMaterial = {},
  /** to speak this version and no other */
  version?: SecureVersion,
): TlsTrust {
  const secureContext = createSecureContext({
    ...(ca && { ca: [...rootCertificates, ca] }),
    ...(cert && { cert }),
    ...(key && { key }),
    // The versions of old are not spoken at the security level of today.
    ...(version && { minVersion: version, maxVersion: version, ciphers: "DEFAULT@SECLEVEL=0" }),
  });
  return { secureContext, rejectUnauthorized: !insecure };
}

/** The trust for each address: the certificate of the client is a credential, and kept from those that may not see it. */
export function tlsTrustFor(
  { tls = {}, credentials }: { readonly tls?: TlsMaterial; readonly credentials?: BoundCredentials },
  whole: TlsTrust,
): (url: URL) => TlsTrust {
  const { cert, key: _, ...bare } = tls;
  if (!credentials || cert === undefined) return () => whole;
  const anonymous = createTlsTrust(bare);
  return (url) => (credentials.mayGoTo(url) ? whole : anonymous);
}
