import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { FrameReader } from "../grpc/frame.ts";
import { type ByteLog, bytesOfBoth, createByteLog } from "../recording/byte-log.ts";
import type { BegunExchange, Failure, GrpcMessage, HeaderPairs } from "../recording/exchange.ts";
import type { Recording } from "../recording/recording.ts";
import { eventsIn, mostBytes, WriteTimes } from "./served-events.ts";

/** Records one HTTP/2 stream, from its request headers to its trailers, whatever happens to it. */
export function recordStream(
  stream: ServerHttp2Stream,
  requestHeaders: HeaderPairs,
  recording: Recording,
  onBegun: (begun: BegunExchange) => void,
): void {
  const id = recording.issueId();
  const named = (name: string): string => requestHeaders.find(([each]) => each === name)?.[1] ?? "";
  onBegun({ id, method: named(":method"), url: addressOf(named) });
  const startedAt = new Date().toISOString();
  const began = performance.now();
  const [sent, received] = [createByteLog(mostBytes), createByteLog(mostBytes)];
  const times = new WriteTimes();
  const told = tapStream(stream, sent, {
    append(chunk) {
      received.append(chunk);
      times.add(chunk, performance.now() - began);
    },
  });
  const { remoteAddress, remotePort } = stream.session?.socket ?? {};
  stream.once("close", () => {
    const took = performance.now() - began;
    const { head, trailers } = told;
    const isWhole = stream.rstCode === constants.NGHTTP2_NO_ERROR;
    const isGrpc = head?.some(([name, value]) => name === "content-type" && value.startsWith("application/grpc"));
    recording.finish({
      id,
      transport: {
        http2: true,
        ...bytesOfBoth(sent, received),
        reused: false,
      },
      http: {
        request: {
          method: named(":method"),
          url: addressOf(named),
          headers: requestHeaders,
          body: sent.bytes,
          bodyTruncated: sent.truncated,
        },
        ...(head && {
          response: {
            status: Number(head.find(([name]) => name === ":status")?.[1] ?? 200),
            statusText: "",
            headers: head,
            trailers,
            body: received.bytes,
            bodyTruncated: received.truncated,
          },
          ...(isGrpc && { grpc: { messages: messagesIn(Buffer.from(received.bytes), took), messagesDropped: 0 } }),
          ...eventsIn({ headers: head, body: received.bytes }, took, isWhole, times),
        }),
      },
      timing: { startedAt, end: took },
      ...(remoteAddress !== undefined && { remote: { address: remoteAddress, port: remotePort ?? 0 } }),
      ...(!isWhole && { failure: cutOff(stream) }),
    });
  });
}

interface ToldHeaders {
  head?: HeaderPairs;
  trailers: HeaderPairs;
}

/** Taps both directions of the stream, its head and its trailers. */
function tapStream(
  stream: ServerHttp2Stream,
  sent: Pick<ByteLog, "append">,
  received: Pick<ByteLog, "append">,
): ToldHeaders {
  const told: ToldHeaders = { trailers: [] };
  const { emit, write, end, respond, sendTrailers } = stream;
  // Data may have arrived before we saw the stream, so record it where it is emitted, not where it arrives. Everything
  // that is read is emitted, and in flowing mode data is emitted without being read.
  stream.emit = (event: string | symbol, ...given: unknown[]) => {
    if (event === "data") sent.append(given[0] as Uint8Array);
    return Reflect.apply(emit, stream, [event, ...given]) as boolean;
  };
  // The casts restore overloads that the wrapper passes through.
  const heard = (chunk: unknown): void => {
    if (typeof chunk === "string" || chunk instanceof Uint8Array) received.append(Buffer.from(chunk as Uint8Array));
  };
  stream.write = ((chunk: unknown, ...rest: unknown[]) => {
    heard(chunk);
    return Reflect.apply(write, stream, [chunk, ...rest]);
  }) as typeof write;
  stream.end = ((...given: unknown[]) => {
    heard(given[0]);
    return Reflect.apply(end, stream, given);
  }) as typeof end;
  stream.respond = (headers, options) => {
    told.head = pairs(headers ?? {});
    return respond.call(stream, headers, options);
  };
  stream.sendTrailers = (headers) => {
    told.trailers = pairs(headers);
    return sendTrailers.call(stream, headers);
  };
  return told;
}

const cutOff = ({ rstCode, aborted }: ServerHttp2Stream): Failure =>
  aborted || rstCode === constants.NGHTTP2_CANCEL
    ? { code: "aborted", message: "the client cancelled the call" }
    : { code: "reset", message: `the stream was reset (code ${rstCode})` };

function addressOf(named: (name: string) => string): string {
  const address = `${named(":scheme") || "http"}://${named(":authority") || named("host") || "127.0.0.1"}${named(":path") || "/"}`;
  return URL.canParse(address) ? address : "http://127.0.0.1/";
}

const pairs = (headers: OutgoingHttpHeaders): HeaderPairs =>
  Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((each) => [name, String(each)] as const));

function messagesIn(bytes: Buffer, at: number): GrpcMessage[] {
  try {
    return [...new FrameReader(mostBytes).push(bytes)].map((message) => ({ at, bytes: message }));
  } catch {
    // Invalid frames are not messages; the raw bytes are recorded anyway.
    return [];
  }
}
