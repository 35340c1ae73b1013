import { isObject, type JsonObject, jsonObjectIn } from "@assay/protocol";
import type { Handler } from "@assay/wire/server";
import { changeRequests } from "./http.ts";

/** Changes the message of an HTTP request, in any binding. */
export const changeMessage = (
  change: (message: JsonObject, params: JsonObject) => JsonObject,
): ((serve: Handler) => Handler) =>
  changeSendParams((params) =>
    isObject(params["message"]) ? { ...params, message: change(params["message"] as JsonObject, params) } : params,
  );

/** Changes the parameters of a send over HTTP, in any binding. */
export const changeSendParams = (change: (params: JsonObject) => JsonObject): ((serve: Handler) => Handler) =>
  changeRequests((request) => ({
    async body() {
      const bytes = await request.body();
      const json = jsonObjectIn(bytes);
      if (!json) return bytes;
      if (request.path.endsWith(":send")) return Buffer.from(JSON.stringify(change(json)));
      const { method, params } = json;
      if (method !== "SendMessage" || !isObject(params)) return bytes;
      return Buffer.from(JSON.stringify({ ...json, params: change(params as JsonObject) }));
    },
  }));

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
