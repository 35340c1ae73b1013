import { createSecureContext, rootCertificates, type SecureContext, type SecureVersion } from "node:tls";

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
