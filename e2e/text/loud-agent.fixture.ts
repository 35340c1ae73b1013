import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { A2AError, isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import { grpcStatuses, grpcV10, writeStatusDetails } from "@assay/protocol/grpc";
import { listen, type WireServer } from "@assay/wire/server";
import { loud, loudHeader } from "./loud-words.fixture.ts";

/** What the agent answers. */
export interface Script {
  card: JsonObject;
  /** to SendMessage and whatever else is asked */
  result: JsonValue;
  /** of a stream */
  events: readonly JsonValue[];
  /** instead of a result */
  error?: JsonObject | undefined;
  /** instead of everything, as bytes of HTTP */
  raw?: string | undefined;
}

/** An agent over three bindings that answers what it is told to, with loud headers, status lines and SSE fields. */
export class LoudAgent {
  readonly url: string;
  readonly grpcUrl: string;
  readonly script: Script = { card: {}, result: {}, events: [] };
  readonly #web: Server;
  readonly #grpc: WireServer;

  private constructor(web: Server, grpc: WireServer) {
    this.#web = web;
    this.#grpc = grpc;
    this.url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
    this.grpcUrl = `127.0.0.1:${grpc.port}`;
    web.on("request", (request, response) => void this.#answer(request, response.socket!));
  }

  static async start(): Promise<LoudAgent> {
    const web = createServer();
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    const agents: LoudAgent[] = [];
    const grpc = await listen({
      host: "127.0.0.1",
      port: 0,
      handler: () => {
        throw new TypeError("only gRPC is served here");
      },
      grpc: async (call) => {
        for await (const _ of call.messages);
        const { result, events } = agents[0]!.script;
        const operation = call.path.endsWith("/SendMessage") ? "SendMessage" : "SendStreamingMessage";
        if (!/\/Send(Streaming)?Message$/.test(call.path)) {
          const details = writeStatusDetails(new A2AError("TaskNotFound", loud, { facts: { taskId: loud } }));
          call.end(grpcStatuses.NOT_FOUND, loud, {
            "grpc-status-details-bin": Buffer.from(details).toString("base64"),
            "x-loud-bin": Buffer.from(loud).toString("base64"),
          });
          return;
        }
        for (const each of operation === "SendMessage" ? [result] : events)
          await call.send(grpcV10.writeAnswer(operation, each as JsonObject));
        call.end(0);
      },
    });
    const agent = new LoudAgent(web, grpc);
    agents.push(agent);
    return agent;
  }

  async close(): Promise<void> {
    this.#web.close().closeAllConnections();
    await this.#grpc.close(0);
  }

  async #answer(request: IncomingMessage, socket: Socket): Promise<void> {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { card, result, events, error, raw } = this.script;
    const path = request.url ?? "";
    if (raw !== undefined && path.startsWith("/rpc")) socket.end(raw);
    else if (path.includes("/.well-known/")) socket.end(httpAnswer(200, "application/json", JSON.stringify(card)));
    else if (path.startsWith("/rest")) this.#answerRest(path, socket);
    else {
      const { id = null, method = "" } = parsed(body);
      const said = (value: JsonValue): string =>
        JSON.stringify(error ? { jsonrpc: "2.0", id, error } : { jsonrpc: "2.0", id, result: value });
      if (/stream|subscribe/i.test(String(method)))
        socket.end(httpAnswer(200, "text/event-stream", eventStream(events.map(said))));
      else socket.end(httpAnswer(200, "application/json", said(result)));
    }
  }

  #answerRest(path: string, socket: Socket): void {
    const { result, events, error } = this.script;
    if (error) socket.end(httpAnswer(400, "application/json", JSON.stringify({ error })));
    else if (/stream|subscribe/.test(path))
      socket.end(httpAnswer(200, "text/event-stream", eventStream(events.map((each) => JSON.stringify(each)))));
    else socket.end(httpAnswer(200, "application/json", JSON.stringify(result)));
  }
}

/** What is no JSON is answered all the same. */
function parsed(body: string): JsonObject {
  try {
    const value = JSON.parse(body) as JsonValue;
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** By hand: a server of Node's would not let such a status line or header pass. */
const httpAnswer = (status: number, type: string, body: string): Buffer =>
  Buffer.concat([
    Buffer.from(
      `HTTP/1.1 ${status} ${loudHeader}\r\nContent-Type: ${type}\r\nX-Loud: ${loudHeader}\r\nWWW-Authenticate: Bearer realm="${loudHeader.replaceAll('"', "")}"\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`,
      "latin1",
    ),
    Buffer.from(body),
  ]);

const oneLine = loud.replace(/[\r\n]+/g, " ");
const eventStream = (texts: readonly string[]): string =>
  texts.map((text) => `: ${oneLine}\nevent: ${oneLine}\nid: ${oneLine}\ndata: ${text}\n\n`).join("");
