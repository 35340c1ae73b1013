import { validateHeaderValue } from "node:http";
import type { EgressGuard } from "../egress.ts";
import type { Exchange, ResponseHead, SseEvent } from "../recording/exchange.ts";
import { Recording } from "../recording/recording.ts";
import { type BoundCredentials, withQuery } from "./bound-credentials.ts";
import { HttpCall } from "./call.ts";
import { headerOf } from "./http-head.ts";
import { LargeAnswers } from "./large-answers.ts";
import { defaultLimits, defaultTimeouts, type ResponseLimits, type Timeouts } from "./limits.ts";
import type { ProxySettings } from "./proxy.ts";
import { redirected } from "./redirect.ts";
import { assertSendable, type RequestSpec } from "./request-spec.ts";
import { createRoutes } from "./routes.ts";
import { createTlsTrust, type TlsMaterial, tlsTrustFor } from "./tls.ts";

export interface HttpClientOptions {
  readonly guard: EgressGuard;
  /** What is shown to the addresses that the operator named, and to no other; without it, every field goes where it is sent. */
  readonly credentials?: BoundCredentials;
  /** Where exchanges are recorded; nowhere unless given. */
  readonly recording?: Recording;
  /** See `userAgent`; a request that names its own keeps it. */
  readonly userAgent?: string;
  readonly tls?: TlsMaterial;
  readonly proxies?: ProxySettings;
  readonly limits?: Partial<ResponseLimits>;
  readonly timeouts?: Partial<Timeouts>;
}

/**
 * Speaks HTTP/1.1 and records it. It sends what it is told, and throws only when told something it cannot send: trouble
 * with the peer or the network is a fact about the exchange, found in its `failure`.
 */
export interface HttpClient {
  request(spec: RequestSpec, signal?: AbortSignal): Promise<Exchange>;
  /** Resolves once the answer's head is here, or is known never to come. */
  stream(spec: RequestSpec, signal?: AbortSignal): Promise<OpenedStream>;
  /** Ends what is under way and lets go of all connections. */
  close(): Promise<void>;
}

export interface OpenedStream {
  /** Absent when there was no answer; `finished` then says why. */
  readonly head?: ResponseHead;
  /** Each event as it arrives, up to the end or the first trouble; leaving the loop closes the stream. */
  readonly events: AsyncIterable<SseEvent>;
  readonly finished: Promise<Exchange>;
  close(): void;
}

/** `a2a-assay/1.2.3`, or `a2a-assay/1.2.3 (ops@example.com)` for those who want to be asked before they are blocked. */
export const userAgent = (version: string, contact?: string): string =>
  contact ? `a2a-assay/${version} (${contact})` : `a2a-assay/${version}`;

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { guard, credentials, recording = new Recording({ keep: false }), userAgent: agent, proxies = {} } = options;
  if (agent !== undefined) validateHeaderValue("User-Agent", agent);
  const limits = { ...defaultLimits, ...options.limits };
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const trust = createTlsTrust(options.tls);
  const trustFor = tlsTrustFor(options, trust);
  const routes = createRoutes({
    guard,
    trust,
    trustFor,
    proxies,
    connectMs: timeouts.connect,
    headerBytes: limits.headerBytes,
  });
  const running = new Set<HttpCall>();
  const large = new LargeAnswers();

  function start(spec: RequestSpec, isStream: boolean, signal?: AbortSignal, follows?: string): HttpCall {
    const { fresh, idleMs } = spec;
    const route = routes.routeTo(new URL(spec.url), fresh);
    const patience = idleMs === undefined ? timeouts : { ...timeouts, idle: idleMs };
    const how = { limits, large, timeouts: patience, isStream };
    const call = new HttpCall({ spec, route, recording, guard, ...how, signal, follows });
    running.add(call);
    void call.finished.then(() => {
      running.delete(call);
      route.release?.();
    });
    return call;
  }

  /** Fields that are kept back at one address stay behind: what leads on from there asks for nothing in their name. */
  const permitted = (spec: RequestSpec): RequestSpec => asPermitted(spec, credentials);

  /** Walks redirects, each hop an exchange of its own, and resolves with the call whose head has arrived. */
  async function open(spec: RequestSpec, isStream: boolean, signal?: AbortSignal): Promise<HttpCall> {
    assertSendable(spec);
    let asked = permitted(withUserAgent(spec, agent));
    let call = start(asked, isStream, signal);
    let head = await call.head;
    while (head && (asked.followRedirects ?? 0) > 0) {
      const next = redirected(asked, head, credentials?.mayGoTo);
      if (!next) break;
      const { id } = await call.finished;
      asked = permitted(next);
      call = start(asked, isStream, signal, id);
      head = await call.head;
    }
    return call;
  }

  return {
    async request(spec, signal) {
      const call = await open(spec, false, signal);
      return call.finished;
    },
    async stream(spec, signal) {
      const { head, events, finished, hangUp } = await open(spec, true, signal);
      const opened = await head;
      return { ...(opened && { head: opened }), events, finished, close: hangUp };
    },
    async close() {
      for (const call of running) call.hangUp();
      await routes.close();
    },
  };
}

/** A request as it may go to its address. */
export function asPermitted(spec: RequestSpec, credentials: BoundCredentials | undefined): RequestSpec {
  const { url, headers, query } = spec;
  if (!credentials) return query ? { ...spec, url: withQuery(url, query) } : spec;
  return {
    ...spec,
    url: credentials.addressed(url, query),
    ...(headers && { headers: credentials.permitted(url, headers) }),
  };
}

/** Says who we are, unless the request does. */
export const withUserAgent = (spec: RequestSpec, agent: string | undefined): RequestSpec =>
  agent === undefined || headerOf(spec.headers ?? [], "user-agent") !== undefined
    ? spec
    : { ...spec, headers: [...(spec.headers ?? []), ["User-Agent", agent]] };
