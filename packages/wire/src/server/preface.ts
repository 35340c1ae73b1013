import type { Socket } from "node:net";

/** How HTTP/2 without TLS begins, if the client knows beforehand that it is spoken (RFC 9113 §3.4). */
const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/**
 * Looks at the first bytes of a connection and puts them back. Three letters tell: no HTTP/1 method begins
 * with `PRI`. A connection that says nothing in time is none of HTTP/2, and is left to HTTP/1's patience.
 */
export function looksLikeHttp2(socket: Socket, timeoutMs: number, decide: (http2: boolean) => void): void {
  let seen: Buffer = Buffer.alloc(0);
  const done = (http2: boolean): void => {
    clearTimeout(timer);
    socket.off("readable", look).off("end", gone).off("close", gone).off("error", gone);
    if (seen.length) socket.unshift(seen);
    decide(http2);
  };
  const look = (): void => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    seen = seen.length ? Buffer.concat([seen, chunk]) : chunk;
    const length = Math.min(seen.length, preface.length);
    if (!seen.subarray(0, length).equals(preface.subarray(0, length))) done(false);
    else if (length >= 3) done(true);
  };
  const gone = (): void => {
    clearTimeout(timer);
    socket.destroy();
  };
  const timer = setTimeout(() => done(false), timeoutMs);
  socket.on("readable", look).once("end", gone).once("close", gone).once("error", gone);
}
