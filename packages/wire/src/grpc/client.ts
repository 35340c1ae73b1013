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
  /** The server, in any of the forms that cards use. */
  readonly url: string;
  /** `/package.Service/Method` */
  readonly path: string;
  readonly metadata?: HeaderPairs;
  readonly message: Uint8Array;
  /** Told to the server as `grpc-timeout`; how long we wait ourselves is for the client's timeouts to say. */
  readonly timeoutMs?: number;
  /** Any number of messages is asked for, not one. */
  readonly isStream?: true;
}

/**
 * Speaks gRPC over HTTP/2 and records it: one message out, any number back. It throws only when told something it
 * cannot send: trouble with the peer or the network is a fact about the exchange, found in its `failure`. A status that
 * is not OK, or none at all, is an answer like any other.
 */
export interface GrpcClient {
  call(request: GrpcRequest, signal?: AbortSignal): GrpcClientCall;
  /** Ends what is under way and lets go of all connections. */
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
      if (!url) throw new TypeError(`"${address}" is no address of a gRPC server. Write it as host:port.`);
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
