import { fail } from "../client/failure.ts";
import { headerOf } from "../client/http-head.ts";
import { type ResponseLimits, streamBodyBytes } from "../client/limits.ts";
import { createByteLog } from "../recording/byte-log.ts";
import type { Failure, GrpcMessage, GrpcRecord, HeaderPairs, HttpResponse } from "../recording/exchange.ts";
import { FrameError, FrameReader } from "./frame.ts";

/** A response in progress: takes DATA and emits messages, within limits. */
export interface GrpcAnswer {
  write(chunk: Buffer): void;
  /** Called when the peer sends no more. Returns the failure, if any. */
  end(): Failure | undefined;
  /** Returns what arrived. `complete` is false if either side broke off. */
  record(complete: boolean, trailers: HeaderPairs): { response: HttpResponse; grpc?: GrpcRecord };
}

interface AnswerOptions {
  readonly status: number;
  readonly headers: HeaderPairs;
  readonly limits: ResponseLimits;
  readonly clock: () => number;
  onMessage(message: GrpcMessage): void;
  onFailure(failure: Failure): void;
}

export function createGrpcAnswer({ status, headers, limits, clock, onMessage, onFailure }: AnswerOptions): GrpcAnswer {
  // A proxy may answer with an HTML page; read as gRPC, "<htm" would announce a message of a gigabyte.
  const isGrpc = /^application\/grpc(?:[+; ]|$)/i.test(headerOf(headers, "content-type") ?? "");
  const frames = isGrpc ? new FrameReader(limits.eventSize, headerOf(headers, "grpc-encoding")) : undefined;
  const body = createByteLog(frames ? Math.min(limits.bodyBytes, streamBodyBytes) : limits.bodyBytes);
  const messages: GrpcMessage[] = [];
  let unpacked = 0;

  /** Returns a failure if there is no room for another message of this size. */
  function overflow(bytes: Buffer): Failure | undefined {
    if (messages.length === limits.events) return fail("too-many-events", `more than ${limits.events} messages`);
    unpacked += bytes.length;
    if (unpacked <= limits.bodyBytes) return undefined;
    return fail("too-large", `the messages exceed ${limits.bodyBytes} bytes`);
  }

  return {
    write(chunk) {
      body.append(chunk);
      if (body.seen > limits.bodyBytes)
        return onFailure(fail("too-large", `the body exceeds ${limits.bodyBytes} bytes`));
      try {
        for (const bytes of frames?.push(chunk) ?? []) {
          const failure = overflow(bytes);
          if (failure) return onFailure(failure);
          const message = { at: clock(), bytes };
          messages.push(message);
          onMessage(message);
        }
      } catch (error) {
        if (!(error instanceof FrameError)) throw error;
        // The peer must not use a coding that we did not offer.
        const code = error.kind === "unknown-coding" ? "malformed" : error.kind;
        onFailure(fail(code, `the response contains ${error.message}`));
      }
    },
    end: () =>
      (frames?.isBetweenMessages ?? true)
        ? undefined
        : fail("malformed", "the response ended in the middle of a message"),
    record: (complete, trailers) => ({
      response: {
        status,
        statusText: "",
        headers,
        trailers,
        body: body.bytes,
        bodyTruncated: !complete || body.truncated,
      },
      ...(frames && { grpc: { messages, messagesDropped: 0 } }),
    }),
  };
}
