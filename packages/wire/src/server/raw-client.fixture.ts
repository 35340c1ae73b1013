import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { Handler } from "./handler.ts";
import { type ListenOptions, listen, type WireServer } from "./listen.ts";

/** Starts a server on a free port, and closes it when the test is over. */
export async function serve(handler: Handler, options: Partial<ListenOptions> = {}): Promise<WireServer> {
  const server = await listen({ host: "127.0.0.1", port: 0, handler, ...options });
  onTestFinished(() => server.close(0));
  return server;
}

/** A client that sends exactly the given bytes and keeps all received text. */
export interface RawClient {
  readonly socket: Socket;
  readonly text: string;
  /** Waits until the received text contains `part`, and returns all of it. */
  until(part: string): Promise<string>;
  /** Resolves to all received text when the server has closed its side. */
  readonly ended: Promise<string>;
}

export function dial(server: WireServer, first = ""): RawClient {
  const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
  socket.setEncoding("utf8");
  onTestFinished(() => {
    socket.destroy();
  });
  let text = "";
  let wake = () => {};
  const ended = new Promise<string>((resolve) => {
    socket.on("data", (more: string) => {
      text += more;
      wake();
    });
    // A reset also ends the connection. Text that arrived before is kept.
    socket.on("error", () => resolve(text));
    socket.on("end", () => resolve(text));
  });
  if (first !== "") socket.write(first);
  return {
    socket,
    ended,
    get text() {
      return text;
    },
    async until(part) {
      while (!text.includes(part)) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return text;
    },
  };
}

export const get = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n");

export const post = (path: string, body: string, ...headers: string[]): string =>
  [`POST ${path} HTTP/1.1`, "Host: localhost", `Content-Length: ${body.length}`, ...headers, "", body].join("\r\n");

/** Returns the status and the JSON body of the last response in the received text. */
export function answer(heard: string): { status: number; body: unknown } {
  const last = heard.slice(heard.search(/HTTP\/1\.1 \d+ (?![\s\S]*HTTP\/1\.1 \d+ )/));
  return { status: Number(last.slice(9, 12)), body: JSON.parse(last.slice(last.indexOf("\r\n\r\n") + 4)) };
}

/** Creates a promise that the test resolves by `open`. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
