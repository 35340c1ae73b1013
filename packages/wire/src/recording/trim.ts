import type { Exchange, GrpcRecord, SseEvent, SseRecord } from "./exchange.ts";

/** Returns the size of an exchange in a recording. Headers and times are small and always kept. */
export function weigh({ transport, http }: Exchange): number {
  const bodies = http.request.body.length + (http.response?.body.length ?? 0);
  const carriage = transport.sent.length + transport.received.length;
  return carriage + bodies + weighEvents(http.sse?.events ?? []) + weighMessages(http.grpc);
}

/**
 * Cuts an exchange to `budget` bytes and flags every cut.
 *
 * Bodies and events are kept first and raw bytes get the rest, because a report needs the response more than the chunk
 * framing.
 */
export function trim(exchange: Exchange, budget: number): Exchange {
  if (weigh(exchange) <= budget) return exchange;

  let left = budget;
  const take = (bytes: Uint8Array): Uint8Array => {
    // A copy: the slice of a Buffer would keep the whole body in memory.
    const part = bytes.length > left ? Uint8Array.prototype.slice.call(bytes, 0, left) : bytes;
    left -= part.length;
    return part;
  };

  const { transport, http } = exchange;
  const requestBody = take(http.request.body);
  const responseBody = http.response && take(http.response.body);
  const sse = http.sse && trimEvents(http.sse, left);
  left -= weighEvents(sse?.events ?? []);
  const grpc = http.grpc && trimMessages(http.grpc, left);
  left -= weighMessages(grpc);
  const sent = take(transport.sent);
  const received = take(transport.received);

  return {
    ...exchange,
    transport: {
      ...transport,
      sent,
      sentTruncated: transport.sentTruncated || sent.length < transport.sent.length,
      received,
      receivedTruncated: transport.receivedTruncated || received.length < transport.received.length,
    },
    http: {
      request: {
        ...http.request,
        body: requestBody,
        bodyTruncated: http.request.bodyTruncated || requestBody.length < http.request.body.length,
      },
      ...(http.response &&
        responseBody && {
          response: {
            ...http.response,
            body: responseBody,
            bodyTruncated: http.response.bodyTruncated || responseBody.length < http.response.body.length,
          },
        }),
      ...(sse && { sse }),
      ...(grpc && { grpc }),
    },
  };
}

function trimEvents(sse: SseRecord, budget: number): SseRecord {
  const events = firstWithin(sse.events, budget, ({ data }) => data.length);
  return { ...sse, events, eventsDropped: sse.eventsDropped + sse.events.length - events.length };
}

function trimMessages(grpc: GrpcRecord, budget: number): GrpcRecord {
  const messages = firstWithin(grpc.messages, budget, ({ bytes }) => bytes.length);
  return { messages, messagesDropped: grpc.messagesDropped + grpc.messages.length - messages.length };
}

function firstWithin<T>(items: readonly T[], budget: number, weight: (item: T) => number): readonly T[] {
  let left = budget;
  const firstTooMany = items.findIndex((item) => {
    left -= weight(item);
    return left < 0;
  });
  return firstTooMany === -1 ? items : items.slice(0, firstTooMany);
}

const weighEvents = (events: readonly SseEvent[]): number => events.reduce((sum, { data }) => sum + data.length, 0);

const weighMessages = (grpc: GrpcRecord | undefined): number =>
  grpc?.messages.reduce((sum, { bytes }) => sum + bytes.length, 0) ?? 0;
