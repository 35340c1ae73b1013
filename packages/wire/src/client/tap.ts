import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import type { Dispatcher } from "undici";

/** Whoever listens in on one request and its answer. */
export interface Conversation {
  /** The request is about to be written on this line. */
  attached(line: Line): void;
  sent(bytes: Uint8Array): void;
  received(bytes: Uint8Array): void;
  /** The peer will say no more. */
  ended(): void;
}

/** A connection of ours; it carries one conversation at a time, because we never pipeline. */
export interface Line {
  readonly socket: Socket;
  readonly connectedAt: number;
  /** Conversations before the present one. */
  readonly carried: number;
  hangUp(): void;
}

interface TappedLine {
  readonly connectedAt: number;
  carried: number;
  conversation?: Conversation | undefined;
}

const lines = new WeakMap<Socket, TappedLine>();
const conversations = new WeakMap<object, Conversation>();
let dispatching: Conversation | undefined;

/** Listens in on a socket, before anything is written to it. */
export function tap(socket: Socket): Socket {
  const line: TappedLine = { connectedAt: performance.now(), carried: 0 };
  lines.set(socket, line);
  const { write, push } = socket;

  // The casts restore overloads that a wrapper passes through unseen.
  socket.write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    const encoding = typeof rest[0] === "string" ? (rest[0] as BufferEncoding) : "utf8";
    line.conversation?.sent(typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk);
    return Reflect.apply(write, socket, [chunk, ...rest]);
  }) as typeof write;
  socket.push = (chunk: Uint8Array | null, encoding?: BufferEncoding) => {
    if (chunk) line.conversation?.received(chunk);
    else line.conversation?.ended();
    return push.call(socket, chunk, encoding);
  };
  return socket;
}

/** Hands a request to undici and makes sure `conversation` hears the socket it ends up on. */
export function dispatchTapped(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  handler: Dispatcher.DispatchHandler,
  conversation: Conversation,
): void {
  watchUndici();
  dispatching = conversation;
  try {
    dispatcher.dispatch(options, handler);
  } finally {
    dispatching = undefined;
  }
}

let watching = false;

/**
 * undici tells neither handler nor caller which socket a request was written to, but its diagnostics do: a request is
 * created synchronously within `dispatch`, and announced with its socket right before its headers are written.
 * The channels are the process's, so requests that are not ours pass by here and are not known.
 */
function watchUndici(): void {
  if (watching) return;
  watching = true;

  subscribe("undici:request:create", (message) => {
    const { request } = message as { request: object };
    if (dispatching) conversations.set(request, dispatching);
  });

  subscribe("undici:client:sendHeaders", (message) => {
    const { request, socket } = message as { request: object; socket: Socket };
    const conversation = conversations.get(request);
    const line = lines.get(socket);
    if (!conversation || !line) return;
    line.conversation = conversation;
    const hangUp = (): void => {
      if (line.conversation === conversation) line.conversation = undefined;
    };
    conversation.attached({ socket, connectedAt: line.connectedAt, carried: line.carried, hangUp });
    line.carried += 1;
  });
}
