import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { statusBody } from "./status-body.ts";

/**
 * Answers on a bare socket, where Node has no response object for us, and closes it.
 *
 * Our side is closed at once; the other side gets `lingerMs` to read the answer, for the reason told in lingering.ts.
 */
export function refuse(socket: Socket, status: number, message: string, lingerMs: number): void {
  // Whatever happens on a connection we are done with is no news.
  socket.on("error", () => {});
  const body = statusBody(status, message);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(timer));
}
