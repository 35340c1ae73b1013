import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { statusBody } from "./status-body.ts";

/**
 * Responds on a bare socket, without Node's response object, and closes it.
 *
 * Our side is closed at once; the other side gets `lingerMs` to read the response (see lingering.ts).
 */
export function refuse(socket: Socket, status: number, message: string, lingerMs: number): void {
  const body = statusBody(status, message);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  close(socket, `${head.join("\r\n")}\r\n\r\n${body}`, lingerMs);
}

/** Empty SETTINGS, then GOAWAY without a stream, with ENHANCE_YOUR_CALM (RFC 9113 §6.8). */
const goAway = Buffer.from("000000040000000000" + "000008070000000000" + "000000000000000b", "hex");

/** The same for an HTTP/2 client that has sent nothing yet. */
export const refuseHttp2 = (socket: Socket, lingerMs: number): void => close(socket, goAway, lingerMs);

function close(socket: Socket, last: string | Buffer, lingerMs: number): void {
  // Errors on a rejected connection do not matter.
  socket.on("error", () => {});
  socket.end(last);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
}
