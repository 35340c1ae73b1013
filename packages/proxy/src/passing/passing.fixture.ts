import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { bindCredentials, createEgressGuard, type Exchange } from "@assay/wire";
import { afterEach } from "vitest";
import type { Notice } from "./notice.ts";
import { openPassing, type PassingOptions } from "./open.ts";

/** Cleanup functions that the current test runs at its end. */
export const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

export async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.close();
    if ("closeAllConnections" in server) (server as ReturnType<typeof createServer>).closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export const agentThat = (serve: (incoming: IncomingMessage, response: ServerResponse) => void): Promise<string> =>
  listening(createServer(serve));

/** Opens a proxy in front of an agent, and collects everything that it reports. */
export async function before(agent: string, more: Partial<PassingOptions> = {}) {
  const named = new URL(agent);
  const exchanges: Exchange[] = [];
  const notices: Notice[] = [];
  const cards: Parameters<PassingOptions["onCard"]>[0][] = [];
  const waiting: (() => void)[] = [];
  const told = (): void => {
    for (const resume of waiting.splice(0)) resume();
  };
  const passing = await openPassing({
    agent: named,
    host: "127.0.0.1",
    port: 0,
    guard: createEgressGuard({ trustedHosts: [named.hostname] }),
    credentials: bindCredentials({ named: [named], fields: [] }),
    onExchange: (exchange) => {
      exchanges.push(exchange);
      told();
    },
    onCard: (card) => cards.push(card),
    onNotice: (notice) => {
      notices.push(notice);
      told();
    },
    ...more,
  });
  closing.push(() => passing.close());
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return {
    url: passing.url,
    map: passing.map,
    exchanges,
    notices,
    cards,
    until,
    codes: () => notices.map(({ code }) => code),
  };
}

export const textOf = async (message: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
};
