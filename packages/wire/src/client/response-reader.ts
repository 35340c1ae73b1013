import { createByteLog } from "../recording/byte-log.ts";
import type { Failure, HeaderPairs, HttpResponse, ResponseHead, SseEvent, SseRecord } from "../recording/exchange.ts";
import { type BodyDecoder, codingsOf, createBodyDecoder, unknownCoding } from "./content-coding.ts";
import { fail } from "./failure.ts";
import { headerOf } from "./http-head.ts";
import { type ResponseLimits, streamBodyBytes } from "./limits.ts";
import { createSseReader } from "./sse.ts";

/** A response in progress: takes body bytes and emits decompressed bytes and events, within limits. */
export interface ResponseReader {
  readonly head: ResponseHead;
  readonly isStream: boolean;
  write(chunk: Uint8Array): void;
  /** Called when no more bytes come; `onEnd` follows once all are decoded. */
  end(trailers: HeaderPairs): void;
  /** Returns what arrived. `complete` is false if either side broke off. */
  record(complete: boolean): { response: HttpResponse; sse?: SseRecord };
}

interface ResponseReaderOptions {
  readonly head: ResponseHead;
  readonly limits: ResponseLimits;
  readonly clock: () => number;
  onEvent(event: SseEvent): void;
  onEnd(): void;
  onFailure(failure: Failure): void;
}

export function createResponseReader({
  head,
  limits,
  clock,
  onEvent,
  onEnd,
  onFailure,
}: ResponseReaderOptions): ResponseReader {
  const isStream = /^text\/event-stream\b/i.test(headerOf(head.headers, "content-type") ?? "");
  const body = createByteLog(isStream ? Math.min(limits.bodyBytes, streamBodyBytes) : limits.bodyBytes);
  const codings = codingsOf(
    head.headers.filter(([name]) => /^content-encoding$/i.test(name)).map(([, value]) => value),
  );
  const undecoded = unknownCoding(codings);
  let trailers: HeaderPairs = [];

  const sse = isStream
    ? createSseReader({
        clock,
        maxEvents: limits.events,
        maxEventSize: limits.eventSize,
        onEvent,
        onOverflow: onFailure,
      })
    : undefined;

  const onData = (chunk: Uint8Array): void => {
    body.append(chunk);
    if (body.seen > limits.bodyBytes) onFailure(fail("too-large", `the body exceeds ${limits.bodyBytes} bytes`));
    else sse?.feed(chunk);
  };

  const plain: BodyDecoder = { write: onData, end: onEnd, destroy() {} };
  const decoder =
    codings.length === 0 || undecoded !== undefined
      ? plain
      : createBodyDecoder({
          codings,
          onData,
          onEnd,
          onError: ({ message }) =>
            onFailure(fail("malformed", `the body is not valid ${codings.join(", ")}: ${message}`)),
        });

  return {
    head,
    isStream,
    write: (chunk) => decoder.write(chunk),
    end(received) {
      trailers = received;
      decoder.end();
    },
    record(complete) {
      decoder.destroy();
      const response = {
        ...head,
        trailers,
        body: body.bytes,
        bodyTruncated: !complete || body.truncated,
        ...(undecoded !== undefined && { undecoded }),
      };
      return { response, ...(sse && { sse: sse.end({ complete }) }) };
    },
  };
}
