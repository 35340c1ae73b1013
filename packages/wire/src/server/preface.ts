import type { Socket } from "node:net";

/** The start of cleartext HTTP/2 with prior knowledge (RFC 9113 §3.4). */
const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const nothing: Buffer = Buffer.alloc(0);

/**
 * Reads the first bytes of a connection, and passes them to the side that the decision names. Three bytes are enough:
 * no HTTP/1 method starts with `PRI`. A connection that stays silent counts as HTTP/1 and gets its timeouts.
 */
export function looksLikeHttp2(socket: Socket, timeoutMs: number, decide: (http2: boolean) => void): void {
  let seen = nothing;
  const done = (http2: boolean): void => {
    clearTimeout(timer);
    socket.off("data", look).off("end", gone).off("close", gone).off("error", gone);
    if (http2) socket.pause().unshift(seen);
    decide(http2);
    // Node's parser of HTTP/1 listens now. Putting the bytes back would cost a fifth of a new connection.
    if (!http2 && seen.length > 0) socket.emit("data", seen);
  };
  const look = (chunk: Buffer): void => {
    seen = seen.length ? Buffer.concat([seen, chunk]) : chunk;
    const isHttp2 = startsHttp2(seen);
    if (isHttp2 !== undefined) done(isHttp2);
  };
  const gone = (): void => {
    clearTimeout(timer);
    socket.destroy();
  };
  const timer = setTimeout(() => done(false), timeoutMs);
  socket.on("data", look).on("end", gone).on("close", gone).on("error", gone);
}

/** Returns undefined while it may still become either. */
function startsHttp2(seen: Buffer): boolean | undefined {
  if (seen[0] !== preface[0]) return false;
  const length = Math.min(seen.length, preface.length);
  if (!seen.subarray(0, length).equals(preface.subarray(0, length))) return false;
  return length >= 3 ? true : undefined;
}
