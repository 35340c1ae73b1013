import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { whenAwakeFor } from "../awake-timer.ts";
import { type EgressGuard, egressError } from "../egress.ts";
import { fail, NetworkError } from "./failure.ts";
import type { TlsTrust } from "./tls.ts";

export interface Dial {
  readonly host: string;
  readonly port: number;
  /** Set if the connection is encrypted. */
  readonly tls?: TlsTrust & {
    readonly servername?: string;
    /** the protocol to negotiate over TLS (default: HTTP/1.1) */
    readonly alpn?: "h2";
  };
  /** Decides which hosts may be dialed. Missing only for hosts that the user named, such as a proxy. */
  readonly guard?: EgressGuard;
  /** An existing connection to the host through a proxy. */
  readonly through?: Socket;
  readonly timeoutMs: number;
  /** Cancels the dial. */
  readonly signal?: AbortSignal;
}

/** Opens one connection and resolves when it can carry bytes. All client sockets are created here. */
export function dial({ host, port, tls, guard, through, timeoutMs, signal }: Dial): Promise<Socket> {
  // Connections through a proxy were checked before; the proxy resolves the name.
  const guarded = through ? undefined : guard;
  const decision = guarded?.checkHost(host, port);
  if (decision && !decision.allowed) return Promise.reject(egressError(decision.reason));

  const address = { host, port, noDelay: true, ...(guarded && { lookup: guarded.lookup }) };
  const servername = tls?.servername ?? (isIP(host) ? undefined : host);
  const socket = tls
    ? connectTls({
        ...address,
        ...(through && { socket: through }),
        secureContext: tls.secureContext,
        rejectUnauthorized: tls.rejectUnauthorized,
        ALPNProtocols: [tls.alpn ?? "http/1.1"],
        ...(servername && { servername }),
      })
    : connectTcp(address);

  return new Promise((resolve, reject) => {
    const settle = (): void => {
      callOff();
      signal?.removeEventListener("abort", abandon);
      socket.off("error", giveUp).off("close", closed);
    };
    const giveUp = (error: Error): void => {
      settle();
      reject(error);
    };
    const abandon = (): void => {
      socket.destroy(new NetworkError(fail("aborted", "the connection was no longer needed")));
    };
    const closed = (): void =>
      giveUp(new NetworkError(fail("closed-at-once", "the peer closed the connection immediately")));
    const callOff = whenAwakeFor(timeoutMs, () => {
      const message = `timeout: no connection to ${host}:${port} within ${timeoutMs} ms`;
      socket.destroy(new NetworkError(fail("timeout-connect", message)));
    });

    socket.once("error", giveUp);
    socket.once("close", closed);
    socket.once(tls ? "secureConnect" : "connect", () => {
      settle();
      resolve(socket);
    });
    signal?.addEventListener("abort", abandon, { once: true });
    if (signal?.aborted) abandon();
  });
}
