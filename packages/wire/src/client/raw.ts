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
  /** Where to connect, and by its scheme whether with TLS; what is asked for there is up to the bytes. */
  readonly url: string;
  readonly steps: readonly RawStep[];
}

export interface RawClientOptions {
  readonly guard: EgressGuard;
  readonly credentials?: BoundCredentials;
  readonly recording?: Recording;
  readonly tls?: TlsMaterial;
  /** How much to read of an answer. */
  readonly maxBytes?: number;
  readonly timeouts?: Partial<Timeouts>;
}

export interface RawClient {
  send(spec: RawSpec, signal?: AbortSignal): Promise<Exchange>;
}

/** Unlike an honest exchange, a rude one always has an end: the peer may well never answer. */
const rawTimeouts = { ...defaultTimeouts, total: 30_000 };

/**
 * Sends exactly the bytes it is given, right or wrong, and records what comes back: the bytes, and an answer if one can
 * be made out. Every message gets a connection of its own, straight to the host.
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
          throw new NetworkError(fail("refused-by-guard", `${url.origin} may not see your credentials`));
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
      // How the peer left does not matter once it has said all: many answer a rude request and tear the line down.
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

/** How long a line must be quiet before we look whether the answer is complete: reading it anew per byte is costly. */
const quietMs = 5;

/** Takes the steps while listening; over when the answer is complete, the connection gone or the time up. */
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
    const hangUp = (): void => end(fail("aborted", "we ended the exchange before the answer was complete"));
    const isAnswered = (): boolean => readLeniently(received.bytes, method, false)?.complete === true;

    after(timeouts.total, () => end(fail("timeout-total", `the exchange was not over after ${timeouts.total} ms`)));
    const idle = after(timeouts.idle, () => end(fail("timeout-idle", `no byte arrived for ${timeouts.idle} ms`)));
    let quiet: NodeJS.Timeout | undefined;

    socket.on("error", (error) => end(failureFrom(error)));
    socket.on("close", () =>
      end(fail("closed-early", "the peer closed the connection before the answer was complete")),
    );
    socket.on("data", (chunk) => {
      idle.refresh();
      draft.received(chunk);
      received.append(chunk);
      if (received.truncated) return end(fail("too-large", `the answer exceeds ${maxBytes} bytes`));
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

/** The request as the bytes would have it; what they do not say stays empty. */
function whatTheBytesSay({ url, steps }: RawSpec): RequestSpec {
  const bytes = bytesOf(steps);
  const head = parseHead(bytes);
  const method = /^[A-Z]+/.exec(head?.startLine ?? "")?.[0] ?? "";
  return { method, url, headers: head?.headers ?? [], body: bytes.subarray(head?.length ?? bytes.length) };
}
