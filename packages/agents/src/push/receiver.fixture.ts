import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createEgressGuard } from "@assay/wire";
import { onTestFinished } from "vitest";
import { createOutbound, type Outbound } from "../outbound/outbound.ts";

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  /** every request, in order of completion */
  readonly heard: ReceivedRequest[];
  /** Resolves when this many requests have arrived. */
  count(requests: number): Promise<void>;
  /** Resolves when a client closed the connection before the response. */
  readonly abandoned: Promise<void>;
}

type Answer = (response: ServerResponse, nth: number) => void;

export const ok: Answer = (response) => response.writeHead(204).end();
export const say =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end();
/** Accepts the request and never answers. */
export const hang: Answer = () => {};
/** Gives these answers in turn, then 204. */
export const inTurn =
  (...answers: Answer[]): Answer =>
  (response, nth) =>
    (answers[nth] ?? ok)(response, nth);

/** A webhook on a free port of 127.0.0.1 for the duration of the test. */
export async function receiver(answer: Answer = ok): Promise<Receiver> {
  const heard: ReceivedRequest[] = [];
  const waiting: { requests: number; resolve: () => void }[] = [];
  const sockets = new Set<Socket>();
  let abandon = () => {};
  const abandoned = new Promise<void>((resolve) => {
    abandon = resolve;
  });
  const server = createServer(async (request, response) => {
    response.on("close", () => {
      if (!response.writableEnded) abandon();
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url = "", headers } = request;
    heard.push({ method, path: url, headers, body: Buffer.concat(chunks).toString() });
    answer(response, heard.length - 1);
    for (const each of waiting) if (heard.length >= each.requests) each.resolve();
  });
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    heard,
    count: (requests) =>
      new Promise((resolve) => {
        waiting.push({ requests, resolve });
        if (heard.length >= requests) resolve();
      }),
    abandoned,
  };
}

/** Outgoing calls with these `options`; allowed to this machine by default. */
export function outboundWith(options: Parameters<typeof createEgressGuard>[0] = { allowLoopback: true }): Outbound {
  const outbound = createOutbound(createEgressGuard(options), "0.0.0-test");
  onTestFinished(() => outbound.close());
  return outbound;
}
