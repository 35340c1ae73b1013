import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A JSON-RPC call that the agent got. */
export interface ReceivedCall {
  readonly method: string;
  readonly id: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: parameters of any method
  readonly params: any;
  readonly headers: IncomingHttpHeaders;
}

export interface ScriptedAgent {
  readonly url: string;
  readonly calls: readonly ReceivedCall[];
  /** resolves with the first call of a method, also if it came before */
  called(method: string): Promise<ReceivedCall>;
}

/** Answers with a result or an error, or with undefined to leave the call open. */
type Outcome = { readonly result: unknown } | { readonly error: unknown } | undefined;
type Script = (call: ReceivedCall) => Outcome | Promise<Outcome>;

/** An agent of A2A 1.0 over JSON-RPC whose card and answers a test writes. */
export async function startScriptedAgent(
  script: Script,
  card: (url: string) => object = () => ({}),
): Promise<ScriptedAgent> {
  const calls: ReceivedCall[] = [];
  const server = createServer((request, response) => {
    const send = (value: object): void => {
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(value));
    };
    if (request.method === "GET") return send({ ...plainCard, ...ownInterface(url), ...card(url) });
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", async () => {
      const given = parsed(body);
      if (!given) return send({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "not JSON" } });
      const call = { ...given, headers: request.headers };
      calls.push(call);
      server.emit(`call ${call.method}`, call);
      const answer = await script(call);
      if (answer) send({ jsonrpc: "2.0", id: call.id, ...answer });
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    calls,
    async called(method) {
      const known = calls.find((call) => call.method === method);
      return known ?? ((await once(server, `call ${method}`))[0] as ReceivedCall);
    },
  };
}

function parsed(body: string): Omit<ReceivedCall, "headers"> | undefined {
  try {
    const { method, id, params } = JSON.parse(body);
    return typeof method === "string" ? { method, id, params } : undefined;
  } catch {
    return undefined;
  }
}

const ownInterface = (url: string): object => ({
  supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
});

const plainCard = {
  name: "Scripted",
  description: "Says what a test wants.",
  version: "1",
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "say", name: "Say", description: "Says it.", tags: ["say"] }],
};
