import { validateHeaderValue } from "node:http";
import type { HttpClientOptions } from "../client/http.ts";
import { defaultLimits, defaultTimeouts } from "../client/limits.ts";
import { proxyFor } from "../client/proxy.ts";
import type { ConnectionNeeds } from "../client/request-spec.ts";
import { createTlsTrust, tlsTrustFor } from "../client/tls.ts";
import type { HeaderPairs } from "../recording/exchange.ts";
import { Recording } from "../recording/recording.ts";
import { readGrpcAddress } from "./address.ts";
import { type GrpcClientCall, OutgoingGrpcCall } from "./client-call.ts";
import { writeHead } from "./client-metadata.ts";
import { createSessions } from "./client-sessions.ts";

export interface GrpcRequest extends ConnectionNeeds {
  /** The server, in any form that cards use. */
  readonly url: string;
  /** `/package.Service/Method` */
  readonly path: string;
  readonly metadata?: HeaderPairs;
  readonly message: Uint8Array;
  /** Sent as `grpc-timeout`. The client's own timeouts are separate. */
  readonly timeoutMs?: number;
  /** Any number of messages is expected, not one. */
  readonly isStream?: true;
}

/**
 * A gRPC client over HTTP/2 that records its exchanges: one message out, any number back. It throws only for requests
 * it cannot send. Errors of the peer or the network are in the `failure` of the exchange. A status other than OK, or
 * none, is a normal response.
 */
export interface GrpcClient {
  call(request: GrpcRequest, signal?: AbortSignal): GrpcClientCall;
  /** Cancels all calls and closes all connections. */
  close(): void;
}

export function createGrpcClient(options: HttpClientOptions): GrpcClient {
  const { guard, credentials, recording = new Recording({ keep: false }), userAgent, proxies = {} } = options;
  if (userAgent !== undefined) validateHeaderValue("User-Agent", userAgent);
  const limits = { ...defaultLimits, ...options.limits };
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const trust = createTlsTrust(options.tls);
  const sessions = createSessions({
    guard,
    trust,
    trustFor: tlsTrustFor(options, trust),
    proxies,
    connectMs: timeouts.connect,
    headerBytes: limits.headerBytes,
  });
  const running = new Set<GrpcClientCall>();

  return {
    call({ url: address, path, metadata = [], message, timeoutMs, isStream = false, fresh = false, idleMs }, signal) {
      const url = readGrpcAddress(address);
      if (!url) throw new TypeError(`"${address}" is not a valid gRPC address. Write it as host:port.`);
      const shown = credentials?.permitted(url, metadata) ?? metadata;
      const head = writeHead({ url, path, metadata: shown, timeoutMs, userAgent });
      const proxy = proxyFor(url, proxies);
      const patience = idleMs === undefined ? timeouts : { ...timeouts, idle: idleMs };
      const where = { url, path, sessions, isStream, fresh, proxy };
      const call = new OutgoingGrpcCall({ ...where, head, message, recording, limits, timeouts: patience, signal });
      running.add(call);
      void call.finished.then(() => running.delete(call));
      return call;
    },
    close() {
      for (const call of running) call.cancel();
      sessions.close();
    },
  };
}
