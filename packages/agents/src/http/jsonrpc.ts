import { A2AError, type RpcId, readCall, v10, writeResult, writeRpcError } from "@assay/protocol";
import type { WireReply, WireRequest } from "@assay/wire/server";
import { mediaTypeOf, parseBody, wrongMediaType } from "./body.ts";
import { pump } from "./events.ts";
import { challenge } from "./failure.ts";
import type { AgentHost } from "./host.ts";
import { invoke } from "./invoke.ts";
import { checkVersion } from "./service-parameters.ts";
import type { Visit } from "./visit.ts";

/** One JSON-RPC call: POST to the agent's own path (§9). */
export async function serveJsonRpc(
  host: AgentHost,
  request: WireRequest,
  reply: WireReply,
  visit: Visit,
): Promise<void> {
  let id: RpcId = null;
  try {
    const body = await request.body();
    const type = mediaTypeOf(request);
    if (type !== "application/json") throw wrongMediaType(type, ["application/json"]);
    const reading = readCall(parseBody(body));
    if (reading.error) {
      id = reading.id;
      throw reading.error;
    }
    const { method, params } = reading.call;
    id = reading.call.id;
    checkVersion(request);
    const operation = v10.operationOf(method);
    if (!operation) throw new A2AError("MethodNotFound", `Method not found: ${method.slice(0, 80)}`);
    if (Array.isArray(params))
      throw new A2AError("InvalidParams", "A2A takes its parameters by name: params has to be an object");
    const { outcome, headers } = await invoke(host, v10, operation, params, request, visit);
    if (outcome.events) {
      const opening = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
      await pump(reply, headers, outcome.events, visit, (event) => `${opening}${event}}`);
      return;
    }
    const answer = v10.writeAnswer(operation, outcome.answer as never);
    headers["Content-Type"] = "application/json";
    reply.send(200, headers, writeResult(id, JSON.stringify(answer)));
  } catch (thrown) {
    const error = visit.failed(thrown);
    const { http, transport } = error.numbers();
    // Errors of JSON-RPC and of A2A travel in a 200; what was decided below them shows in the status too.
    const headers = { "Content-Type": "application/json", ...visit.headers, ...challenge(error) };
    reply.send(transport ? http : 200, headers, writeRpcError(id, error));
  }
}
