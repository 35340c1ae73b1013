import { isObject, type JsonObject, type JsonValue, jsonObjectIn } from "@assay/protocol";
import type { Handler, WireReply, WireRequest } from "@assay/wire/server";
import { changeRequests, replyWith } from "./http.ts";

/** Returns the body of a POST; empty for other methods and for a body that cannot be read. */
export const postedText = async (request: WireRequest): Promise<string> =>
  request.method === "POST" ? String(await request.body().catch(() => "")) : "";

/** Applies a layer only to requests whose POST body fits. */
export const forPosts =
  (fits: (body: string, request: WireRequest) => boolean, layer: (serve: Handler) => Handler) =>
  (serve: Handler): Handler => {
    const layered = layer(serve);
    return async (request, reply) => (fits(await postedText(request), request) ? layered : serve)(request, reply);
  };

/** Sends an empty stream instead of a complete response, such as a rejection. */
export const asEmptyStream =
  (serve: Handler): Handler =>
  (request, reply) =>
    serve(request, replyWith(reply, { send: () => reply.events({}).end() }));

/** Sends a JSON-RPC error. */
export const sendRpcError = (reply: WireReply, id: JsonValue | undefined, error: JsonObject, status = 200): void =>
  reply.send(status, { "Content-Type": "application/json" }, JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error }));

/** Changes the JSON object in the body of a request; any other body stays unchanged. */
export const changeJsonBody = (change: (json: JsonObject, request: WireRequest) => JsonObject) =>
  changeRequests((request) => ({
    async body() {
      const bytes = await request.body();
      const json = jsonObjectIn(bytes);
      const changed = json && change(json, request);
      return changed === json ? bytes : Buffer.from(JSON.stringify(changed));
    },
  }));

/** Changes the message of an HTTP request, in any binding. */
export const changeMessage = (
  change: (message: JsonObject, params: JsonObject) => JsonObject,
): ((serve: Handler) => Handler) =>
  changeSendParams((params) =>
    isObject(params["message"]) ? { ...params, message: change(params["message"] as JsonObject, params) } : params,
  );

/** Changes the parameters of a send over HTTP, in any binding. */
export const changeSendParams = (change: (params: JsonObject) => JsonObject): ((serve: Handler) => Handler) =>
  changeJsonBody((json, { path }) => {
    if (path.endsWith(":send")) return change(json);
    const { method, params } = json;
    return method === "SendMessage" && isObject(params) ? { ...json, params: change(params as JsonObject) } : json;
  });

/** Returns an internal error for requests with a matching body. */
export const crashesOn =
  (isBad: (body: string) => boolean) =>
  (serve: Handler): Handler =>
  async (request, reply) => {
    if (request.method === "POST" && isBad(String(await request.body())))
      return reply.send(500, { "Content-Type": "text/plain" }, "Internal Server Error");
    return serve(request, reply);
  };

/**
 * Closes the connection without a response, like a process that crashes at such a request and is restarted.
 */
export const diesOn =
  (isBad: (body: string) => boolean) =>
  (serve: Handler): Handler =>
  async (request, reply) => {
    if (request.method === "POST" && isBad(String(await request.body()))) reply.raw.socket?.destroy();
    else return serve(request, reply);
  };

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
