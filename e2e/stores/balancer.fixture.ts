import { once } from "node:events";
import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";

export interface Balancer {
  readonly url: string;
  close(): Promise<void>;
}

/** Sends each request to the next server in turn, so that related requests reach different servers. */
export async function balance(servers: readonly string[], port = 0): Promise<Balancer> {
  let next = 0;
  const balancer = createServer((request, response) => {
    const target = new URL(request.url ?? "/", servers[next++ % servers.length]!);
    const onwards = send(target, { method: request.method, headers: { ...request.headers, host: target.host } });
    onwards.on("response", (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    onwards.on("error", () => response.destroy());
    response.on("close", () => onwards.destroy());
    request.pipe(onwards);
  });
  balancer.listen(port, "127.0.0.1");
  await once(balancer, "listening");
  return {
    url: `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`,
    async close() {
      balancer.closeAllConnections();
      balancer.close();
      await once(balancer, "close");
    },
  };
}
