import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that came to the front, with what it says in JSON-RPC if it says anything. */
export interface Knock {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  readonly rpc: string | undefined;
}

/** Answers by itself, or leaves it to the agent behind (`undefined`). */
export type Doorman = (knock: Knock, response: ServerResponse) => boolean | undefined;

export interface Front {
  readonly url: string;
  readonly knocks: readonly Knock[];
  /** Hands a request to the agent behind after all, which its doorman had kept. */
  pass(response: ServerResponse): void;
  /** Drops every connection and refuses new ones, until it `listen`s again. */
  refuse(): void;
  listen(): void;
  close(): Promise<void>;
}

/** Stands in front of an agent of the test bed, and does as it is told with some of the requests; the rest it may delay. */
export async function startFront(behind: string, doorman: Doorman, delayMs = 0): Promise<Front> {
  const knocks: Knock[] = [];
  const onward = new WeakMap<ServerResponse, () => void>();
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const body = Buffer.concat(chunks);
      const knock: Knock = {
        method: incoming.method ?? "",
        path: incoming.url ?? "",
        headers: incoming.headers,
        body: body.toString("utf8"),
        rpc: /"method":"(\w+)"/.exec(body.toString("utf8"))?.[1],
      };
      knocks.push(knock);
      onward.set(response, () => pass(behind, incoming, body, response));
      if (doorman(knock, response)) return;
      setTimeout(() => onward.get(response)?.(), delayMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${new URL(behind).pathname}`,
    knocks,
    pass: (response) => onward.get(response)?.(),
    refuse() {
      server.close();
      server.closeAllConnections();
    },
    listen: () => void server.listen(port, "127.0.0.1"),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The Host stays, so that the card behind names the front. */
function pass(behind: string, incoming: IncomingMessage, body: Buffer, response: ServerResponse): void {
  const { host, port } = new URL(behind);
  const onward = request(
    { host: host.split(":")[0], port, method: incoming.method, path: incoming.url, headers: incoming.headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  onward.on("error", () => response.destroy());
  response.on("close", () => onward.destroy());
  onward.end(body);
}

/** Answers with JSON. */
export function answer(
  response: ServerResponse,
  status: number,
  json: unknown,
  headers: Record<string, string> = {},
): true {
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(JSON.stringify(json));
  return true;
}
