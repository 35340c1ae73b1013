import { createServer as createPlainServer, type Server, type Socket } from "node:net";
import type { SecureVersion } from "node:tls";
import type { ServerLimits } from "./limits.ts";

export interface TlsOptions {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
  /** The authority that signs client certificates. */
  readonly ca?: string | Buffer;
  /** Rejects clients without a certificate signed by `ca`. */
  readonly requestCert?: boolean;
  /** With `requestCert`, false serves such clients as clients without a certificate. */
  readonly rejectUnauthorized?: boolean;
  /** Default: TLS 1.2. Older versions need ciphers with a lower security level (`DEFAULT@SECLEVEL=0`). */
  readonly minVersion?: SecureVersion;
  readonly maxVersion?: SecureVersion;
  readonly ciphers?: string;
}

/** Extra connections that are being rejected, or are still in the TLS handshake. */
const headroom = 256;

/**
 * The listener: accepts connections, terminates TLS, and passes each one on. It does not parse HTTP, so the protocol
 * can be detected first.
 */
export async function createFront(
  tls: TlsOptions | undefined,
  limits: ServerLimits,
  accept: (socket: Socket) => void,
): Promise<Server> {
  const options = { allowHalfOpen: true, noDelay: true };
  const front = tls ? await secureFront(tls) : createPlainServer(options, accept);
  front.maxConnections = limits.connections + headroom;
  return front;

  /** Loaded only for TLS. */
  async function secureFront(given: TlsOptions): Promise<Server> {
    const { createServer } = await import("node:tls");
    return createServer({
      minVersion: "TLSv1.2",
      ...given,
      ...options,
      ALPNProtocols: ["h2", "http/1.1"],
      handshakeTimeout: limits.headersTimeoutMs,
    })
      .on("secureConnection", accept)
      .on("tlsClientError", (_error, socket) => socket.destroy());
  }
}
