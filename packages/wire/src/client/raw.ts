import type { Socket } from "node:net";
import type { EgressGuard } from "../egress.ts";
import { type ByteLog, createByteLog } from "../recording/byte-log.ts";
import type { Exchange, Failure } from "../recording/exchange.ts";
import { Recording } from "../recording/recording.ts";
import type { BoundCredentials } from "./bound-credentials.ts";
import { dial } from "./dial.ts";
import { createDraft, type Draft } from "./draft.ts";
import { fail, failureFrom, NetworkError } from "./failure.ts";
import { parseHead } from "./http-head.ts";
import { readLeniently } from "./lenient-answer.ts";
import { defaultTimeouts, type Timeouts } from "./limits.ts";
import { bytesOf, type RawStep, takeSteps } from "./raw-steps.ts";
import type { RequestSpec } from "./request-spec.ts";
import { createTlsTrust, type TlsMaterial, tlsTrustFor } from "./tls.ts";

export interface RawSpec {
  /** Where to connect; the scheme decides about TLS. The bytes decide what is requested. */
  readonly url: string;
  readonly steps: readonly RawStep[];
}

export interface RawClientOptions {
  readonly guard: EgressGuard;
  readonly credentials?: BoundCredentials;
  readonly recording?: Recording;
  readonly tls?: TlsMaterial;
  /** Maximum bytes to read of a response. */
  readonly maxBytes?: number;
  readonly timeouts?: Partial<Timeouts>;
}

export interface RawClient {
  send(spec: RawSpec, signal?: AbortSignal): Promise<Exchange>;
}

/** Unlike other exchanges, a raw one always has a total timeout, because the peer may never respond. */
const rawTimeouts = { ...defaultTimeouts, total: 30_000 };

/**
 * A client that sends exactly the given bytes, valid or not, and records the bytes received and a response if one is
 * readable. Every message uses its own direct connection.
 */
export function createRawClient(options: RawClientOptions): RawClient {
  const { guard, credentials, recording = new Recording({ keep: false }), maxBytes = 4 * 1024 * 1024 } = options;
  const timeouts = { ...rawTimeouts, ...options.timeouts };
  const trustFor = tlsTrustFor(options, createTlsTrust(options.tls));

  return {
    async send(spec, signal) {
      const url = new URL(spec.url);
      const secure = url.protocol === "https:";
      const request = whatTheBytesSay(spec);
      const { bytesPerExchange } = recording;
      const draft = createDraft({ id: recording.issueId(), spec: request, bytesPerExchange });
      const received = createByteLog(maxBytes);
      let failure: Failure | undefined;
      let closed = false;
      try {
        if (credentials && !credentials.mayGoTo(url) && credentials.isIn(bytesOf(spec.steps)))
          throw new NetworkError(fail("refused-by-guard", `${url.origin} is not allowed to receive your credentials`));
        const socket = await dial({
          host: url.hostname.replace(/^\[|\]$/g, ""),
          port: Number(url.port) || (secure ? 443 : 80),
          ...(secure && { tls: trustFor(url) }),
          guard,
          timeoutMs: Math.min(timeouts.connect, timeouts.total),
          ...(signal && { signal }),
        });
        draft.attached({ socket, connectedAt: performance.now(), carried: 0, hangUp() {} });
        const { steps } = spec;
        failure = await converse({
          socket,
          steps,
          method: request.method,
          draft,
          received,
          maxBytes,
          timeouts,
          signal,
        });
        closed = failure?.code === "closed-early";
      } catch (error) {
        failure = failureFrom(error);
      }
      const answer = readLeniently(received.bytes, request.method, closed);
      // A peer may answer a bad request and then reset the connection. With a complete response, that is not a failure.
      if (answer?.complete && (closed || failure?.code === "reset")) failure = undefined;
      const exchange = draft.finish({
        ...(answer && { response: answer.response }),
        ...(failure && { failure }),
      });
      recording.finish(exchange);
      return exchange;
    },
  };
}

interface Talk {
  readonly socket: Socket;
  readonly steps: readonly RawStep[];
  readonly method: string;
  readonly draft: Draft;
  readonly received: ByteLog;
  readonly maxBytes: number;
  readonly timeouts: Timeouts & { readonly total: number };
  readonly signal?: AbortSignal | undefined;
}

/** Time without data before we check whether the response is complete, because parsing it after each byte is slow. */
const quietMs = 5;

/** Runs the steps while reading. Ends when the response is complete, the connection is closed, or time is up. */
function converse(talk: Talk): Promise<Failure | undefined> {
  const { socket, steps, method, draft, received, maxBytes, timeouts, signal } = talk;
  return new Promise((resolve) => {
    const stop = new AbortController();
    const timers = new Set<NodeJS.Timeout>();
    const after = (ms: number, action: () => void): NodeJS.Timeout => {
      const timer = setTimeout(action, ms);
      timers.add(timer);
      return timer;
    };
    const end = (failure?: Failure): void => {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener("abort", hangUp);
      stop.abort();
      socket.destroy();
      resolve(failure);
    };
    const hangUp = (): void => end(fail("aborted", "Assay aborted the exchange before the response was complete"));
    const isAnswered = (): boolean => readLeniently(received.bytes, method, false)?.complete === true;

    after(timeouts.total, () =>
      end(fail("timeout-total", `timeout: the exchange was not complete after ${timeouts.total} ms`)),
    );
    const idle = after(timeouts.idle, () =>
      end(fail("timeout-idle", `timeout: no byte arrived for ${timeouts.idle} ms`)),
    );
    let quiet: NodeJS.Timeout | undefined;

    socket.on("error", (error) => end(failureFrom(error)));
    socket.on("close", () =>
      end(fail("closed-early", "the peer closed the connection before the response was complete")),
    );
    socket.on("data", (chunk) => {
      idle.refresh();
      draft.received(chunk);
      received.append(chunk);
      if (received.truncated) return end(fail("too-large", `the response exceeds ${maxBytes} bytes`));
      quiet = quiet?.refresh() ?? after(quietMs, () => isAnswered() && end());
    });

    signal?.addEventListener("abort", hangUp, { once: true });
    if (signal?.aborted) hangUp();
    const onSent = (bytes: Uint8Array): void => {
      idle.refresh();
      draft.sent(bytes);
    };
    takeSteps(steps, socket, onSent, stop.signal).then(
      () => steps.at(-1)?.is === "reset" && hangUp(),
      (error: unknown) => end(failureFrom(error)),
    );
  });
}

/** Reads the request from the bytes; missing parts stay empty. */
function whatTheBytesSay({ url, steps }: RawSpec): RequestSpec {
  const bytes = bytesOf(steps);
  const head = parseHead(bytes);
  const method = /^[A-Z]+/.exec(head?.startLine ?? "")?.[0] ?? "";
  return { method, url, headers: head?.headers ?? [], body: bytes.subarray(head?.length ?? bytes.length) };
}
