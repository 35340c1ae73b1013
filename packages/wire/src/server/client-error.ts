import type { Socket } from "node:net";
import type { Connections } from "./connections.ts";
import type { ServerLimits } from "./limits.ts";
import { refuse } from "./refuse.ts";
import { WireError, type WireErrorCode } from "./wire-error.ts";

interface Fault {
  readonly status: number;
  readonly message: string;
  /** The error for a handler that is reading the body. */
  readonly body: WireErrorCode;
}

const malformed: Fault = { status: 400, message: "This is not well-formed HTTP/1.1.", body: "body-malformed" };

const faults: Readonly<Record<string, Fault>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: "The request took too long to arrive.", body: "body-timeout" },
  HPE_HEADER_OVERFLOW: { status: 431, message: "The request headers are too large.", body: "body-malformed" },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    message: "The chunk extensions are too large.",
    body: "body-too-large",
  },
  HPE_INVALID_EOF_STATE: { status: 400, message: "The request ended before it was complete.", body: "disconnected" },
};

/** Handles a connection on which Node's parser failed. */
export function createClientErrorListener(connections: Connections, limits: ServerLimits) {
  // The parser reports an error again for every further packet.
  const given = new WeakSet<Socket>();

  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (given.has(socket)) return;
    given.add(socket);
    const code = error.code ?? "";
    const fault = faults[code] ?? (code.startsWith("HPE_") ? malformed : undefined);
    if (!fault || !socket.writable) {
      socket.destroy();
      return;
    }
    const refuseIt = () => refuse(socket, fault.status, fault.message, limits.lingerMs);
    const last = connections.latest(socket);
    if (!last) refuseIt();
    else if (last.message.complete) {
      // A broken request after a valid one: its rejection waits for its turn.
      last.response.once("close", refuseIt);
    } else if (last.response.headersSent) socket.destroy();
    else last.body.fail(new WireError(fault.body, fault.message));
  };
}
