import { randomUUID } from "node:crypto";
import {
  A2AError,
  type Dialect,
  isStreaming,
  type JsonObject,
  type RpcId,
  readCall,
  startExchange,
  writeResult,
  writeRpcError,
} from "@assay/protocol/core";
import type { WireReply, WireRequest } from "@assay/wire/server";
import type { DecodedRequest, Encode } from "./binding.ts";
import { mediaTypeOf, parseBody, wrongMediaType } from "./body.ts";
import { nativeDialect } from "./dialects.ts";
import { errorHeaders } from "./failure.ts";
import { HttpBinding } from "./http-binding.ts";
import type { RequestContext } from "./request-context.ts";

/** JSON-RPC: POST to the agent's own path (§9), in any dialect that the agent supports. */
export class JsonRpcBinding extends HttpBinding {
  dialect: Dialect;
  #id: RpcId = null;

  constructor(context: RequestContext, request: WireRequest, reply: WireReply) {
    super(context, request, reply);
    this.dialect = nativeDialect(context.host.definition);
  }

  protected get contentType(): string {
    return "application/json";
  }

  async read(): Promise<DecodedRequest> {
    const { context, head } = this;
    const { definition, admission } = context.host;
    // Waits also without credentials to check: the body has mostly arrived by then, and is read without events.
    const caller = await admission.authenticate(head, definition);
    const body = await head.body();
    const type = mediaTypeOf(head);
    if (type !== "application/json") throw wrongMediaType(type, ["application/json"]);
    // The 0.1 documentation shows requests without `jsonrpc` and `id`, so a 0.1 agent must accept
    // them.
    const isLenient = this.dialect.version === "0.1" || definition.habits?.missingRpcId === true;
    const reading = readCall(parseBody(body), isLenient);
    if (reading.error) {
      this.#id = reading.id;
      throw reading.error;
    }
    const { id, method, params } = reading.call;
    this.#id = id;
    const dialect = admission.dialect(head, definition, method);
    this.dialect = dialect;
    const operation = dialect.operationOf(method);
    if (!operation) throw new A2AError("MethodNotFound", `Method not found: ${method.slice(0, 80)}`);
    context.operation = operation;
    if (Array.isArray(params)) {
      throw new A2AError("InvalidParams", "Invalid params: A2A takes named parameters, so params must be an object");
    }
    const exchange = dialect.version === "1.0" ? undefined : startExchange(randomUUID);
    return { operation, json: params, caller, exchange };
  }

  protected override envelope(json: string): string {
    return writeResult(this.#id, json);
  }

  protected sendError(error: A2AError, encode: Encode): void {
    const { headers, host } = this.context;
    const { http, transport } = error.numbers(host.definition.errors);
    const all = { "Content-Type": this.contentType, ...headers, ...errorHeaders(error, this.refused) };
    const body = encode({ jsonrpc: "2.0", id: this.#id, error: errorIn(this.dialect, error) });
    const { operation } = this.context;
    if (host.definition.habits?.errorsAsEvents && operation && isStreaming(operation)) {
      const stream = this.reply.events(headers);
      void stream.send(JSON.stringify(body));
      stream.end();
      return;
    }
    // JSON-RPC and A2A errors have HTTP 200; transport errors also show in the status.
    this.reply.send(transport ? http : 200, all, JSON.stringify(body));
  }
}

const errorIn = (dialect: Dialect, error: A2AError): JsonObject => {
  if (dialect.version === "1.0") return JSON.parse(writeRpcError(null, error)).error;
  const { code, message, data } = dialect.writeError(error);
  return { code, message, ...(data === undefined ? {} : { data }) };
};
