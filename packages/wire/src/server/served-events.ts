import { createSseReader } from "../client/sse.ts";
import type { HttpLayer, HttpResponse } from "../recording/exchange.ts";

/** Maximum recorded bytes per exchange, also of an endless event stream. */
export const mostBytes = 4 * 1024 * 1024;

/** Returns the events of a response if it is an event stream. */
export function eventsIn(
  { headers, body }: Pick<HttpResponse, "headers" | "body">,
  end: number,
  isWhole: boolean,
): Pick<HttpLayer, "sse"> {
  const isStream = headers.some(
    ([name, value]) => name.toLowerCase() === "content-type" && /^text\/event-stream\b/i.test(value),
  );
  if (!isStream) return {};
  const reader = createSseReader({
    clock: () => end,
    maxEvents: 100_000,
    maxEventSize: mostBytes,
    onEvent() {},
    onOverflow() {},
  });
  reader.feed(body);
  return { sse: reader.end({ complete: isWhole }) };
}
