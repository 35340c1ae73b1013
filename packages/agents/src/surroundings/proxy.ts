import { setMaxListeners } from "node:events";
import { Agent, request as ask, createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, createServer as createFront, type Server, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { plainly } from "./deliveries.ts";
import { GoAwayOnPause } from "./go-away.ts";
import type { Answer, AnswerHeaders, Conduct, Deliver, Passage } from "./surrounding.ts";

/** The effect of surroundings on passing requests. */
export interface ProxyConduct {
  readonly conduct: Conduct;
  readonly goAwayAfter?: number | undefined;
}

export interface ProxyOptions {
  /** the agent: its address on a test bed */
  readonly behind: string;
  /** the same agent on another test bed, for surroundings in which it loses its memory */
  readonly successor?: string;
  /** 0.1 makes every delay a tenth */
  readonly timeScale?: number;
}

/** A proxy in front of an agent, on a separate port, with the given effect. */
export class ProxyServer {
  readonly #conduct: Conduct;
  readonly #goAwayAfter: number | undefined;
  readonly #timeScale: number;
  readonly #successor: string | undefined;
  readonly #front: Server = createFront({ noDelay: true }, (socket) => this.#accept(socket));
  readonly #http = createServer((incoming, response) => void this.#serve(incoming, response));
  readonly #onward = new Agent({ keepAlive: true });
  readonly #sockets = new Set<Socket>();
  readonly #ended = new AbortController();
  readonly #troubled = new Set<ServerResponse | Socket>();
  #behind: URL;
  #port = 0;
  #requests = 0;

  constructor({ conduct, goAwayAfter }: ProxyConduct, { behind, successor, timeScale = 1 }: ProxyOptions) {
    this.#conduct = conduct;
    this.#goAwayAfter = goAwayAfter;
    this.#behind = new URL(behind);
    this.#successor = successor;
    this.#timeScale = timeScale;
    // The surroundings decide when a connection ends.
    this.#http.keepAliveTimeout = 60_000;
    // Every waiting request listens to it: many listeners are not a leak.
    setMaxListeners(0, this.#ended.signal);
  }

  /** the agent's address through the proxy */
  get url(): string {
    return `http://127.0.0.1:${this.#port}${this.#behind.pathname}`;
  }

  /** number of requests that were affected */
  get troubled(): number {
    return this.#troubled.size;
  }

  async listen(): Promise<void> {
    do {
      // Below the ephemeral ports, so that it is still free after a restart.
      this.#port = 20_000 + Math.floor(Math.random() * 12_000);
    } while (!(await this.#isOpened()));
  }

  async close(): Promise<void> {
    this.#ended.abort();
    this.#drop();
    this.#onward.destroy();
  }

  #isOpened(): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const failed = (error: NodeJS.ErrnoException): void =>
        error.code === "EADDRINUSE" ? resolve(false) : reject(error);
      this.#front.once("error", failed).listen(this.#port, "127.0.0.1", () => {
        this.#front.off("error", failed);
        resolve(true);
      });
    });
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket)).on("error", () => socket.destroy());
    socket.once("data", (first) => {
      socket.pause();
      socket.unshift(first);
      // No HTTP/1 method starts like the preface of HTTP/2, which only gRPC uses here.
      if (String(first).startsWith("PRI")) this.#pipe(socket);
      else this.#http.emit("connection", socket);
      socket.resume();
    });
  }

  #pipe(socket: Socket): void {
    const onward = connect(Number(this.#behind.port), this.#behind.hostname);
    onward.on("error", () => socket.destroy()).once("close", () => socket.destroy());
    socket.once("close", () => onward.destroy());
    const back = this.#goAwayAfter === undefined ? onward : onward.pipe(this.#goingAway(socket, this.#goAwayAfter));
    back.pipe(socket);
    socket.pipe(onward);
  }

  #goingAway(socket: Socket, ms: number): GoAwayOnPause {
    const frames = new GoAwayOnPause(() => this.#wait(ms));
    return frames.once("gone", () => this.#troubled.add(socket)).on("error", () => socket.destroy());
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const number = ++this.#requests;
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      await this.#conduct(this.#passage(number, incoming, Buffer.concat(chunks), response));
    } catch {
      // The client has disconnected, or this proxy is closing.
      response.destroy();
    }
  }

  #passage(number: number, incoming: IncomingMessage, body: Buffer, response: ServerResponse): Passage {
    const { socket } = incoming;
    const trouble = (): void => void this.#troubled.add(response);
    const passage: Passage = {
      number,
      asks: askedBy(incoming, body),
      socket,
      response,
      forward: (deliver = plainly) => {
        if (deliver !== plainly) trouble();
        return this.#forward(incoming, body, passage, deliver);
      },
      answer: (status, headers, text) => {
        trouble();
        response.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(text) }).end(text);
      },
      reset: () => {
        trouble();
        socket.resetAndDestroy();
      },
      wait: async (ms) => {
        trouble();
        await this.#wait(ms);
      },
      goDown: (ms) => {
        trouble();
        this.#drop();
        if (ms !== undefined)
          void this.#wait(ms).then(
            () => this.#comeBack(),
            () => {},
          );
      },
      forget: () => {
        trouble();
        if (this.#successor === undefined) throw new TypeError("An agent that loses its memory needs a successor");
        this.#behind = new URL(this.#successor);
      },
    };
    return passage;
  }

  /** Keeps the Host header, so that the agent's card names this proxy. */
  #forward(incoming: IncomingMessage, body: Buffer, passage: Passage, deliver: Deliver): Promise<void> {
    const { response } = passage;
    return new Promise((resolve, reject) => {
      const headers = endToEnd(incoming.rawHeaders).filter(([name]) => !/^content-length$/i.test(name));
      const onward = ask({
        agent: this.#onward,
        host: this.#behind.hostname,
        port: this.#behind.port,
        method: incoming.method,
        path: incoming.url,
        headers: [...headers, ...(body.length ? [["Content-Length", `${body.length}`]] : [])].flat(),
      });
      onward.once("error", reject).once("response", (message) => {
        message.once("error", () => response.destroy());
        resolve(deliver(answerIn(message), passage));
      });
      response.once("close", () => {
        // A finished request has released its connection, which another one may use.
        if (!response.writableFinished) onward.destroy();
      });
      onward.end(body);
    });
  }

  #wait(ms: number): Promise<void> {
    return wait(ms * this.#timeScale, undefined, { signal: this.#ended.signal });
  }

  /** Stops listening and drops all connections. */
  #drop(): void {
    this.#front.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  async #comeBack(): Promise<void> {
    while (!(await this.#isOpened())) await this.#wait(20);
  }
}

const answerIn = (message: IncomingMessage): Answer => ({
  status: message.statusCode!,
  head: endToEnd(message.rawHeaders),
  body: message,
  isStream: /event-stream/.test(message.headers["content-type"] ?? ""),
});

const sends = /"method":\s*"(SendMessage|message\/send)"/;
const streams = /"method":\s*"(SendStreamingMessage|message\/stream)"/;

function askedBy({ method, url = "" }: IncomingMessage, body: Buffer): Passage["asks"] {
  if (/\/\.well-known\/agent(-card)?\.json$/.test(url)) return "card";
  if (method !== "POST") return "other";
  const text = String(body);
  if (url.endsWith("/message:send") || sends.test(text)) return "send";
  return url.endsWith("/message:stream") || streams.test(text) ? "stream" : "other";
}

/** Headers of one connection, which are not passed on (RFC 9110 §7.6.1). */
const hopByHop = /^(connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;

/** Node gives names and values alternately. */
const endToEnd = (raw: readonly string[]): AnswerHeaders =>
  raw
    .flatMap((name, index): AnswerHeaders => (index % 2 ? [] : [[name, raw[index + 1]!]]))
    .filter(([name]) => !hopByHop.test(name));
