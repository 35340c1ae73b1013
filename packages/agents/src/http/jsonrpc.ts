import { randomUUID } from "node:crypto";
import {
  A2AError,
  type Dialect,
  type JsonObject,
  type RpcId,
  readCall,
  startExchange,
  writeResult,
  writeRpcError,
} from "@assay/protocol";
import type { WireReply, WireRequest } from "@assay/wire/server";
import { mediaTypeOf, parseBody, wrongMediaType } from "./body.ts";
import { nativeDialect } from "./dialects.ts";
import { pump } from "./events.ts";
import { advice } from "./failure.ts";
import { framesOf, writtenAs } from "./frames.ts";
import type { AgentHost } from "./host.ts";
import { invoke } from "./invoke.ts";
import type { Visit } from "./visit.ts";

/** One JSON-RPC call: POST to the agent's own path (§9), in whichever dialect the agent speaks. */
export async function serveJsonRpc(
  host: AgentHost,
  request: WireRequest,
  reply: WireReply,
  visit: Visit,
): Promise<void> {
  const { definition, gate } = host;
  const codec = definition.layers?.codec;
  let id: RpcId = null;
  let dialect: Dialect = nativeDialect(definition);
  try {
    const principal = gate.authenticate(request, definition);
    const body = await request.body();
    const type = mediaTypeOf(request);
    if (type !== "application/json") throw wrongMediaType(type, ["application/json"]);
    // The pages of 0.1 show requests without `jsonrpc` and `id`; whoever refuses them refuses the pages.
    const reading = readCall(parseBody(body), dialect.version === "0.1");
    if (reading.error) {
      id = reading.id;
      throw reading.error;
    }
    const { method, params } = reading.call;
    id = reading.call.id;
    dialect = gate.dialect(request, definition, method);
    const operation = dialect.operationOf(method);
    if (!operation) throw new A2AError("MethodNotFound", `Method not found: ${method.slice(0, 80)}`);
    if (Array.isArray(params)) {
      throw new A2AError("InvalidParams", "A2A takes its parameters by name: params has to be an object");
    }
    const exchange = dialect.version === "1.0" ? undefined : startExchange(randomUUID);
    const decoded = { dialect, operation, json: params, principal, ...(exchange ? { exchange } : {}) };
    const { outcome, headers } = await invoke(host, decoded, request, visit);
    if (outcome.events) {
      const opening = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
      const frames = framesOf(outcome.events, writtenAs("event", "JSONRPC", dialect, operation), codec, exchange);
      await pump(reply, headers, frames, visit, (frame) => `${opening}${frame}}`);
      return;
    }
    const answer = dialect.writeAnswer(operation, outcome.answer as never, exchange);
    const shown = codec ? codec(answer, writtenAs("answer", "JSONRPC", dialect, operation)) : answer;
    headers["Content-Type"] = "application/json";
    reply.send(200, headers, writeResult(id, JSON.stringify(shown)));
  } catch (thrown) {
    const error = visit.failed(thrown);
    const { http, transport } = error.numbers(definition.errors);
    // Errors of JSON-RPC and of A2A travel in a 200; what was decided below them shows in the status too.
    const headers = { "Content-Type": "application/json", ...visit.headers, ...advice(error, definition) };
    const json: JsonObject = { jsonrpc: "2.0", id, error: { ...errorIn(dialect, error) } };
    const shown = codec ? codec(json, writtenAs("error", "JSONRPC", dialect, visit.operation)) : json;
    reply.send(transport ? http : 200, headers, JSON.stringify(shown));
  }
}

const errorIn = (dialect: Dialect, error: A2AError): JsonObject => {
  if (dialect.version === "1.0") return JSON.parse(writeRpcError(null, error)).error;
  const { code, message, data } = dialect.writeError(error);
  return { code, message, ...(data === undefined ? {} : { data }) };
};
