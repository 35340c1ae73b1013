import type { Socket } from "node:net";

/** The start of cleartext HTTP/2 with prior knowledge (RFC 9113 §3.4). */
const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/**
 * Reads the first bytes of a connection and puts them back. Three letters are enough: no HTTP/1 method starts with
 * `PRI`. A connection that stays silent counts as HTTP/1 and gets its timeouts.
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
