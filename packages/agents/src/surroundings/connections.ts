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
import type { Conduct, Surrounding } from "./surrounding.ts";

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
  {
    id: "reset-of-pooled-connections",
    what: "A connection that carried an error response is reset when the next request is sent on it.",
    does: closesBehindErrors,
  },
  {
    id: "reset-of-fresh-connections",
    what: "Each connection carries one request, and every 20th is reset instead of answered.",
    does: () => when(each(20), reset, delivered(lastOfItsConnection)),
  },
  {
    id: "early-close",
    what: "One response is cut off in the middle, once.",
    does: () => when(between(31, 31), delivered(cutShort)),
  },
  {
    id: "reset-on-send",
    what: "The agent accepts the first message, but its connection is reset instead of answered.",
    does: () => when(asksFor("send"), delivered(thought(atFirst(insteadOfAnswer(reset))))),
  },
  {
    id: "early-close-on-send",
    what: "The response to the first message is cut off in the middle.",
    does: () => when(asksFor("send"), delivered(thought(atFirst(cutShort)))),
  },
  {
    id: "cut-stream",
    what: "The first stream is cut off after its first event. All others are complete.",
    does: () => when(asksFor("stream"), delivered(streams(atFirst(cutShort)))),
  },
  {
    id: "streams-closed-on-pause",
    what: "A stream that is silent for 3 s is closed without its last chunk, as nginx does after its read timeout.",
    does: () => delivered(streams(untilPause(readTimeoutMs, ({ socket }) => socket.destroy()))),
  },
  {
    id: "streams-reset-on-pause",
    what: "A stream that is silent for 3 s is reset.",
    does: () => delivered(streams(untilPause(readTimeoutMs, ({ socket }) => socket.resetAndDestroy()))),
  },
  {
    id: "goaway-on-pause",
    what: "A gRPC stream that is silent for 3 s ends with GOAWAY, and its connection is closed.",
    does: () => delivered(plainly),
    goAwayAfter: readTimeoutMs,
  },
  {
    id: "connection-close",
    what: "Every response closes its connection and says so.",
    does: () => delivered(lastOfItsConnection),
  },
];
