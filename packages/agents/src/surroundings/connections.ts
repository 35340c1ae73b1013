import type { Socket } from "node:net";
import { asksFor, between, delivered, each, reset, when } from "./conducts.ts";
import {
  atFirst,
  cutShort,
  insteadOfAnswer,
  lastOfItsConnection,
  plainly,
  streams,
  thought,
  untilPause,
} from "./deliveries.ts";
import { type Conduct, type Surrounding, surrounding } from "./surrounding.ts";

/** TCP connections that end unexpectedly for HTTP. */

/**
 * Servers such as uvicorn close a connection after some errors without announcing it. A client that has just
 * sent its next request gets a reset: here this always happens.
 */
function closesBehindErrors(): Conduct {
  const closed = new WeakSet<Socket>();
  return (passage) => {
    if (closed.has(passage.socket)) return passage.reset();
    return passage.forward((answer, at) => {
      if (answer.status >= 400) closed.add(at.socket);
      return plainly(answer, at);
    });
  };
}

/** A common gateway timeout that slow agents exceed. */
const readTimeoutMs = 3_000;

export const connections: readonly Surrounding[] = [
  surrounding(
    "reset-of-pooled-connections",
    "A connection that carried an error response is reset when the next request is sent on it.",
    closesBehindErrors,
  ),
  surrounding(
    "reset-of-fresh-connections",
    "Each connection carries one request, and every 20th is reset instead of answered.",
    () => when(each(20), reset, delivered(lastOfItsConnection)),
  ),
  surrounding("early-close", "One response is cut off in the middle, once.", () =>
    when(between(31, 31), delivered(cutShort)),
  ),
  surrounding(
    "reset-on-send",
    "The agent accepts the first message, but its connection is reset instead of answered.",
    () => when(asksFor("send"), delivered(thought(atFirst(insteadOfAnswer(reset))))),
  ),
  surrounding("early-close-on-send", "The response to the first message is cut off in the middle.", () =>
    when(asksFor("send"), delivered(thought(atFirst(cutShort)))),
  ),
  surrounding("cut-stream", "The first stream is cut off after its first event. All others are complete.", () =>
    when(asksFor("stream"), delivered(streams(atFirst(cutShort)))),
  ),
  surrounding(
    "streams-closed-on-pause",
    "A stream that is silent for 3 s is closed without its last chunk, as nginx does after its read timeout.",
    () => delivered(streams(untilPause(readTimeoutMs, ({ socket }) => socket.destroy()))),
  ),
  surrounding("streams-reset-on-pause", "A stream that is silent for 3 s is reset.", () =>
    delivered(streams(untilPause(readTimeoutMs, ({ socket }) => socket.resetAndDestroy()))),
  ),
  surrounding(
    "goaway-on-pause",
    "A gRPC stream that is silent for 3 s ends with GOAWAY, and its connection is closed.",
    () => delivered(plainly),
    readTimeoutMs,
  ),
  surrounding("connection-close", "Every response closes its connection and says so.", () =>
    delivered(lastOfItsConnection),
  ),
];
