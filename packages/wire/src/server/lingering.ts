import type { IncomingMessage } from "node:http";
import type { ServerLimits } from "./limits.ts";

/**
 * Reads and discards unwanted data for a while, then calls `done`.
 *
 * Closing a socket with unread bytes makes TCP send a reset, and a reset discards what the client has not read yet: our
 * response. So a client that is still writing gets some time and bytes to notice it.
 */
export function discardRest(message: IncomingMessage, limits: ServerLimits, done: () => void): void {
  let left = limits.discardBytes;
  const stop = () => {
    clearTimeout(timer);
    message.off("data", count).off("end", stop).off("close", stop);
    done();
  };
  const count = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) stop();
  };
  const timer = setTimeout(stop, limits.lingerMs);
  message.on("data", count).on("end", stop).on("close", stop).resume();
}
