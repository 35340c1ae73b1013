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
  /** Credentials, sent only to the addresses that the operator named. Without it, all headers are sent as given. */
  readonly credentials?: BoundCredentials;
  /** where exchanges are recorded (default: nowhere) */
  readonly recording?: Recording;
  /** See `userAgent`. A request with its own User-Agent keeps it. */
  readonly userAgent?: string;
  readonly tls?: TlsMaterial;
  readonly proxies?: ProxySettings;
  readonly limits?: Partial<ResponseLimits>;
  readonly timeouts?: Partial<Timeouts>;
}

/**
 * An HTTP/1.1 client that records its exchanges. It sends requests as given, and throws only for requests it cannot
 * send. Errors of the peer or the network are in the `failure` of the exchange.
 */
export interface HttpClient {
  request(spec: RequestSpec, signal?: AbortSignal): Promise<Exchange>;
  /** Resolves once the response head has arrived, or will never come. */
  stream(spec: RequestSpec, signal?: AbortSignal): Promise<OpenedStream>;
  /** Aborts everything in progress and closes all connections. */
  close(): Promise<void>;
}

export interface OpenedStream {
  /** Missing if there was no response; `finished` then has the reason. */
  readonly head?: ResponseHead;
  /** Each event as it arrives, up to the end or the first error. Leaving the loop closes the stream. */
  readonly events: AsyncIterable<SseEvent>;
  readonly finished: Promise<Exchange>;
  close(): void;
}

/** `a2a-assay/1.2.3`, or `a2a-assay/1.2.3 (ops@example.com)` to give operators of agents a contact. */
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

  /** Headers that are withheld at one address stay withheld on further redirects. */
  const permitted = (spec: RequestSpec): RequestSpec => asPermitted(spec, credentials);

  /** Follows redirects, each as its own exchange, and resolves with the call whose head has arrived. */
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

/** Returns a request as it may be sent to its address. */
export function asPermitted(spec: RequestSpec, credentials: BoundCredentials | undefined): RequestSpec {
  const { url, headers, query } = spec;
  if (!credentials) return query ? { ...spec, url: withQuery(url, query) } : spec;
  return {
    ...spec,
    url: credentials.addressed(url, query),
    ...(headers && { headers: credentials.permitted(url, headers) }),
  };
}

/** Adds our User-Agent, unless the request has one. */
export const withUserAgent = (spec: RequestSpec, agent: string | undefined): RequestSpec =>
  agent === undefined || headerOf(spec.headers ?? [], "user-agent") !== undefined
    ? spec
    : { ...spec, headers: [...(spec.headers ?? []), ["User-Agent", agent]] };
