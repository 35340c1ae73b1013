import { request as http1Request, type IncomingHttpHeaders } from "node:http";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import type { Readable, Writable } from "node:stream";
import { onTestFinished } from "vitest";
import type { WireServer } from "./listen.ts";

export const httpVersions = ["HTTP/1.1", "HTTP/2"] as const;
export type HttpVersion = (typeof httpVersions)[number];

interface Question {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The whole body, sent together with the head. Without it, the test writes and ends the body itself. */
  readonly body?: string | Buffer;
}

/** A request in progress, with the same interface for both HTTP versions. */
export interface Asked {
  readonly body: Writable;
  /** Rejects if no response arrives. */
  readonly head: Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly answer: Readable }>;
  /** Waits for the whole response. Rejects if it is cut off. */
  whole(): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>;
  /** Resolves when the server responds with 100 Continue. */
  readonly invited: Promise<void>;
  leave(): void;
}

export function ask(server: WireServer, version: HttpVersion, question: Question = {}): Asked {
  const { body, head, invited, leave } =
    version === "HTTP/2" ? over2(session(server), question) : over1(server, question);
  head.catch(() => {});
  if (question.body !== undefined) body.end(question.body);
  return {
    body,
    head,
    invited,
    leave,
    async whole() {
      const { status, headers, answer } = await head;
      let text = "";
      for await (const chunk of answer.setEncoding("utf8")) text += chunk;
      // A stream that was reset ends like any other. Only `rstCode` shows the difference.
      if ("rstCode" in answer && answer.rstCode !== 0) throw new Error(`reset with ${answer.rstCode}`);
      return { status, headers, text };
    },
  };
}

/** Opens a session of Node's HTTP/2 client, and closes it when the test is over. */
export function session(server: WireServer, options = {}): ClientHttp2Session {
  const made = connect(server.url, options);
  made.on("error", () => {});
  onTestFinished(() => made.destroy());
  return made;
}

export function over2(
  on: ClientHttp2Session,
  { method = "GET", path = "/", headers = {}, body }: Question,
): Omit<Asked, "whole"> {
  const isEmpty = body === undefined && (method === "GET" || method === "HEAD");
  const stream: ClientHttp2Stream = on.request(
    { ":method": method, ":path": path, ...headers },
    { endStream: isEmpty },
  );
  // A request that the test does not wait for may fail.
  stream.on("error", () => {});
  return {
    body: stream,
    head: new Promise((resolve, reject) => {
      stream.once("response", ({ ":status": status, ...rest }) =>
        resolve({ status: Number(status), headers: rest, answer: stream }),
      );
      stream.once("error", reject).once("close", () => reject(new Error("closed without an answer")));
    }),
    invited: new Promise((resolve) => stream.once("continue", resolve)),
    // Node would end the request body of a stream before it resets the stream.
    leave: () => (stream.writableEnded ? stream.close(8) : on.destroy()),
  };
}

function over1(
  { port }: WireServer,
  { method = "GET", path = "/", headers = {}, body }: Question,
): Omit<Asked, "whole"> {
  const sent = http1Request({ host: "127.0.0.1", port, method, path, headers: { ...headers }, agent: false });
  sent.on("error", () => {});
  if (body === undefined) {
    if (method === "GET" || method === "HEAD") sent.end();
    else sent.flushHeaders();
  }
  onTestFinished(() => void sent.destroy());
  return {
    body: sent,
    head: new Promise((resolve, reject) => {
      sent.once("error", reject).once("response", (answer) => {
        answer.on("error", () => {});
        resolve({ status: answer.statusCode!, headers: answer.headers, answer });
      });
    }),
    invited: new Promise((resolve) => sent.once("continue", resolve)),
    leave: () => void sent.destroy(),
  };
}
