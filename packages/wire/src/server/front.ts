import { createServer as createPlainServer, type Server, type Socket } from "node:net";
import type { SecureVersion } from "node:tls";
import type { ServerLimits } from "./limits.ts";

export interface TlsOptions {
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
  /** Who may sign client certificates. */
  readonly ca?: string | Buffer;
  /** Turns away clients without a certificate signed by `ca`. */
  readonly requestCert?: boolean;
  /** With `requestCert`, false: such clients are served too, as clients without a certificate. */
  readonly rejectUnauthorized?: boolean;
  /** TLS 1.2 unless given. Older ones need ciphers with a lowered security level (`DEFAULT@SECLEVEL=0`). */
  readonly minVersion?: SecureVersion;
  readonly maxVersion?: SecureVersion;
  readonly ciphers?: string;
}

/** Connections that are being turned away, or are still shaking hands, on top of those being served. */
const headroom = 256;

/**
 * The listening part: accepts connections, unwraps TLS, and hands each one over. It knows no HTTP, so that what comes
 * in can be looked at before it is decided who speaks on it.
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

  /** Loaded by those who serve TLS. */
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
