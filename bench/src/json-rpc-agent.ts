import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** An agent over JSON-RPC, in a process of its own. */

export type Params = { readonly id?: string } | undefined;

interface Asked {
  readonly id?: string;
  readonly method?: string;
  readonly params?: Params;
}

/** The parts of the card that differ between agents. */
interface Described {
  readonly name: string;
  readonly description: string;
  readonly capabilities: Readonly<Record<string, boolean>>;
}

/** Builds the JSON-RPC response with this result or error. */
export type Respond = (body: object) => string;

/** Serves the agent, and prints its address as JSON. `stream` answers SendStreamingMessage. */
export function serveAgent(
  described: Described,
  answer: (method: string, params: Params) => object,
  stream?: (response: ServerResponse, respond: Respond) => Promise<void>,
): void {
  const server = createServer(async (request, response) => {
    const send = (body: object): void => {
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    };
    const { port } = server.address() as AddressInfo;
    if (request.method === "GET") return send(cardOf(described, `http://127.0.0.1:${port}/`));
    try {
      const { id = null, method = "", params } = JSON.parse(await text(request)) as Asked;
      const reply = (body: object): object => ({ jsonrpc: "2.0", id, ...body });
      if (stream && method === "SendStreamingMessage")
        return await stream(response, (body) => JSON.stringify(reply(body)));
      send(reply(answer(method, params)));
    } catch {
      send({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "No JSON" } });
    }
  });
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
  });
}

const cardOf = (described: Described, url: string) => ({
  ...described,
  version: "1",
  supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "answer", name: "Answer", description: "Answers.", tags: ["test"] }],
});
