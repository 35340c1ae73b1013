import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { type EgressGuard, egressError } from "../egress.ts";
import { fail, NetworkError } from "./failure.ts";
import type { TlsTrust } from "./tls.ts";

export interface Dial {
  readonly host: string;
  readonly port: number;
  /** Present when the conversation is to be encrypted. */
  readonly tls?: TlsTrust & {
    readonly servername?: string;
    /** What is spoken once TLS stands; HTTP/1.1 unless given. */
    readonly alpn?: "h2";
  };
  /** Who may be dialed. Absent only for hosts the user named himself, such as a proxy. */
  readonly guard?: EgressGuard;
  /** A connection that already leads there, through a proxy. */
  readonly through?: Socket;
  readonly timeoutMs: number;
  /** Whether we still want it. */
  readonly signal?: AbortSignal;
}

/** Opens one connection and resolves when it can carry bytes; every socket of ours starts here. */
export function dial({ host, port, tls, guard, through, timeoutMs, signal }: Dial): Promise<Socket> {
  // A connection through a proxy was judged before the proxy was asked; names in it are the proxy's to resolve.
  const guarded = through ? undefined : guard;
  const decision = guarded?.checkHost(host);
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
      clearTimeout(timer);
      signal?.removeEventListener("abort", abandon);
      socket.off("error", giveUp).off("close", closed);
    };
    const giveUp = (error: Error): void => {
      settle();
      reject(error);
    };
    const abandon = (): void => {
      socket.destroy(new NetworkError(fail("aborted", "we no longer wanted the connection")));
    };
    const closed = (): void =>
      giveUp(new NetworkError(fail("closed-at-once", "the peer closed the connection at once")));
    const timer = setTimeout(() => {
      const message = `no connection to ${host}:${port} within ${timeoutMs} ms`;
      socket.destroy(new NetworkError(fail("timeout-connect", message)));
    }, timeoutMs);

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
