import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";

/** The traffic between workers and agents. */
export interface Crossed {
  requests: number;
  bytesOut: number;
  bytesIn: number;
}

/** Starts a TCP proxy that counts the traffic to a server; `bytesOut` counts the workers' bytes. */
export async function startCountedWay(): Promise<{
  readonly url: string;
  leadTo(port: number): void;
  readonly crossed: Crossed;
  close(): void;
}> {
  const crossed: Crossed = { requests: 0, bytesOut: 0, bytesIn: 0 };
  let target = 0;
  const server = createServer((client) => {
    const agent = connect(target, "127.0.0.1");
    client.on("data", (chunk) => {
      crossed.bytesOut += chunk.length;
      crossed.requests += chunk.toString("latin1").split(" HTTP/1.1\r\n").length - 1;
    });
    agent.on("data", (chunk) => {
      crossed.bytesIn += chunk.length;
    });
    client.pipe(agent).pipe(client);
    for (const [one, other] of [
      [client, agent],
      [agent, client],
    ] as const)
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (port) => {
      target = port;
    },
    crossed,
    close: () => server.close(),
  };
}
