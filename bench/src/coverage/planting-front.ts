import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@assay/protocol";

/** A JSON-RPC request, as far as the front reads it. */
export interface Rpc {
  readonly method: string;
  readonly params: JsonObject;
}

/** One violation, planted into the agent's JSON-RPC responses or into the requests it receives. */
export interface Flaw {
  /** what the agent does */
  readonly does: string;
  /** the rules it breaks; a run has to report at least one of them */
  readonly rules: readonly string[];
  readonly card?: (card: JsonObject) => JsonObject;
  /** Returns the changed headers for the agent. */
  readonly headers?: (headers: Record<string, string>) => Record<string, string>;
  readonly request?: (rpc: Rpc) => Rpc;
  readonly answer?: (answer: JsonObject, rpc: Rpc) => JsonObject;
  /** Changes the events of a stream. */
  readonly events?: (events: AsyncIterable<JsonObject>, rpc: Rpc) => AsyncIterable<JsonObject>;
}

export interface Front {
  readonly url: string;
  close(): void;
}

/**
 * Starts a proxy in front of a JSON-RPC agent with the skills of the test bed. It hides the skills from the card, and
 * turns every message into one second of work. It also injects the flaw.
 */
export async function startFront(agent: string, flaw: Flaw): Promise<Front> {
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await textOf(request);
    if (request.method === "GET" && request.url?.startsWith("/.well-known/")) {
      const found = await fetch(`${agent}${request.url}`, { headers: conditional(request) });
      const text = await found.text();
      response.writeHead(found.status, headersOf(found));
      return void response.end(text && JSON.stringify((flaw.card ?? same)(disguised(JSON.parse(text), url))));
    }
    const rpc = rpcIn(sent);
    const asked = rpc && (flaw.request ?? same)(busy(rpc));
    const body = asked === rpc || !asked ? sent : JSON.stringify({ ...(JSON.parse(sent) as JsonObject), ...asked });
    const given = Object.fromEntries(
      Object.entries(request.headers).filter(
        ([name]) => !/^(host|connection|content-length|accept-encoding)$/.test(name),
      ),
    ) as Record<string, string>;
    const left = new AbortController();
    response.once("close", () => left.abort());
    const answered = await fetch(`${agent}${request.url}`, {
      method: request.method!,
      headers: (flaw.headers ?? same)(given),
      ...(sent && { body }),
      signal: left.signal,
    });
    const type = answered.headers.get("content-type") ?? "";
    response.writeHead(answered.status, headersOf(answered));
    if (type.startsWith("text/event-stream") && rpc) {
      const events = (flaw.events ?? same)(eventsIn(answered.body!), rpc);
      for await (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
      return void response.end();
    }
    const text = await answered.text();
    const isRead = rpc !== undefined && type.startsWith("application/json");
    response.end(isRead ? JSON.stringify((flaw.answer ?? ((json: JsonObject) => json))(JSON.parse(text), rpc)) : text);
  }

  return {
    url,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const same = <T>(value: T): T => value;

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

const conditional = ({ headers }: IncomingMessage): Record<string, string> =>
  headers["if-none-match"] === undefined ? {} : { "If-None-Match": headers["if-none-match"] };

const headersOf = (answer: Response): Record<string, string> =>
  Object.fromEntries(
    [...answer.headers].filter(([name]) => !/^(content-length|connection|transfer-encoding|keep-alive)$/.test(name)),
  );

const conversation = {
  id: "conversation",
  name: "Conversation",
  description: "Talks about anything.",
  tags: ["chat"],
  examples: [],
};

const disguised = (card: JsonObject, url: string): JsonObject => ({
  ...card,
  name: "Conversation Agent",
  description: "Talks about anything.",
  skills: [conversation],
  supportedInterfaces: [{ url: `${url}/`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
});

function rpcIn(text: string): Rpc | undefined {
  try {
    const { method, params } = JSON.parse(text) as JsonObject;
    const isWhole =
      typeof method === "string" && typeof params === "object" && params !== null && !Array.isArray(params);
    return isWhole ? { method, params: params as JsonObject } : undefined;
  } catch {
    return undefined;
  }
}

/** Turns the text of a message into a request for one second of work, and keeps everything else. */
function busy(rpc: Rpc): Rpc {
  const message = rpc.params["message"] as JsonObject | undefined;
  const [first, ...rest] = Array.isArray(message?.["parts"]) ? (message["parts"] as JsonObject[]) : [];
  if (!rpc.method.startsWith("Send") || typeof first?.["text"] !== "string" || message?.["taskId"] !== undefined)
    return rpc;
  const parts = [{ ...first, text: `slow 1 ${first["text"]}` }, ...rest];
  return { ...rpc, params: { ...rpc.params, message: { ...message, parts } } };
}

async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<JsonObject> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const data = text
        .slice(0, end)
        .split("\n")
        .filter((line) => line.startsWith("data:"));
      text = text.slice(end + 2);
      if (data.length) yield JSON.parse(data.map((line) => line.slice(5)).join("\n")) as JsonObject;
    }
  }
}
