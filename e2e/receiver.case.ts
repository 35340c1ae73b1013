import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type StreamResponse, validate } from "@assay/protocol";
import { expect, onTestFinished } from "vitest";
import { until } from "./testbed.case.ts";

export interface Notification {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly event: StreamResponse;
}

export interface Receiver {
  readonly url: string;
  /** in the order of arrival */
  readonly notifications: Notification[];
  /** Waits until so many arrived, and hands them over. */
  arrived(count: number): Promise<Notification[]>;
}

/** A webhook that is really there; `answer` decides what it says to the n-th notification, counted from 1. */
export async function startReceiver(
  answer: (n: number, response: ServerResponse) => void = (_n, response) => response.writeHead(204).end(),
): Promise<Receiver> {
  const notifications: Notification[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    expect(request.method).toBe("POST");
    const event = JSON.parse(Buffer.concat(chunks).toString()) as StreamResponse;
    expect(validate("StreamResponse", event)).toEqual([]);
    notifications.push({ path: request.url!, headers: request.headers, event });
    answer(notifications.length, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    notifications,
    arrived: (count) =>
      until(
        async () => notifications,
        ({ length }) => length >= count,
      ),
  };
}
