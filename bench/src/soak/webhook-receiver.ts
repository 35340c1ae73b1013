import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Starts a webhook that accepts and counts every notification. */
export async function startReceiver(): Promise<{ url: string; received(): number; close(): void }> {
  let received = 0;
  const server = createServer((request, response) => {
    received++;
    request.resume().on("end", () => response.end());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received: () => received,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
