import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import type { Dispatcher } from "undici";

/** Observes the bytes of one request and its response. */
export interface ByteListener {
  /** Called before the request is written to this connection. */
  attached(connection: TappedConnection): void;
  sent(bytes: Uint8Array): void;
  received(bytes: Uint8Array): void;
  /** Called when the peer sends no more. */
  ended(): void;
}

/** A tapped connection. It carries one request at a time, because we never pipeline. */
export interface TappedConnection {
  readonly socket: Socket;
  readonly connectedAt: number;
  /** Number of earlier requests. */
  readonly carried: number;
  hangUp(): void;
}

interface ConnectionState {
  readonly connectedAt: number;
  carried: number;
  listener?: ByteListener | undefined;
}

const connections = new WeakMap<Socket, ConnectionState>();
const listeners = new WeakMap<object, ByteListener>();
let dispatching: ByteListener | undefined;

/** Taps a socket before anything is written to it. */
export function tap(socket: Socket): Socket {
  const connection: ConnectionState = { connectedAt: performance.now(), carried: 0 };
  connections.set(socket, connection);
  const { write, push } = socket;

  // The casts restore overloads that the wrapper passes through.
  socket.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    const encoding = typeof rest[0] === "string" ? (rest[0] as BufferEncoding) : "utf8";
    connection.listener?.sent(typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk);
    return Reflect.apply(write, socket, [chunk, ...rest]);
  }) as typeof write;
  socket.push = (chunk: Uint8Array | null, encoding?: BufferEncoding) => {
    if (chunk) connection.listener?.received(chunk);
    else connection.listener?.ended();
    return push.call(socket, chunk, encoding);
  };
  return socket;
}

/** Passes a request to undici and connects `listener` to the socket it uses. */
export function dispatchTapped(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  handler: Dispatcher.DispatchHandler,
  listener: ByteListener,
): void {
  watchUndici();
  dispatching = listener;
  try {
    dispatcher.dispatch(options, handler);
  } finally {
    dispatching = undefined;
  }
}

let watching = false;

/**
 * undici does not say which socket a request uses, but its diagnostics channels do. A request is created synchronously
 * inside `dispatch`, and announced with its socket right before its headers are written. The channels are global to the
 * process, so unknown requests are ignored.
 */
function watchUndici(): void {
  if (watching) return;
  watching = true;

  subscribe("undici:request:create", (message) => {
    const { request } = message as { request: object };
    if (dispatching) listeners.set(request, dispatching);
  });

  subscribe("undici:client:sendHeaders", (message) => {
    const { request, socket } = message as { request: object; socket: Socket };
    const listener = listeners.get(request);
    const connection = connections.get(socket);
    if (!listener || !connection) return;
    connection.listener = listener;
    const hangUp = (): void => {
      if (connection.listener === listener) connection.listener = undefined;
    };
    listener.attached({ socket, connectedAt: connection.connectedAt, carried: connection.carried, hangUp });
    connection.carried += 1;
  });
}
