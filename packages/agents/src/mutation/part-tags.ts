import { isObject, type JsonObject, type JsonValue, jsonObjectIn } from "@assay/protocol";
import type { Handler, WireReply } from "@assay/wire/server";
import { changeRequests } from "./http.ts";
import { eachObject } from "./json.ts";
import { postedText, sendRpcError } from "./requests.ts";

/** The member that gives the type of a part: `type` in 0.1, `kind` in 0.2 and 0.3. */
type Tag = "type" | "kind";

const isPart = (object: JsonObject): boolean => "text" in object || "file" in object || "data" in object;

/** Rejects parts without `demanded`, and reads it as `due`, the member that the version requires. */
export const demandsTag =
  (demanded: Tag, due: Tag = demanded) =>
  (serve: Handler): Handler =>
  async (request, reply) => {
    const call = jsonObjectIn(await postedText(request));
    const parts = call ? partsIn(call) : [];
    if (!call || parts.length === 0) return serve(request, reply);
    if (parts.some((part) => part[demanded] === undefined)) return refuse(call, demanded, reply);
    if (demanded === due) return serve(request, reply);
    const retold = eachObject(call, (object) => {
      const { [demanded]: said, ...rest } = object;
      return isPart(object) && said !== undefined ? { [due]: said, ...rest } : object;
    });
    return changeRequests(() => ({ body: async () => Buffer.from(JSON.stringify(retold)) }))(serve)(request, reply);
  };

function refuse(call: JsonObject, tag: Tag, reply: WireReply): void {
  const error = { code: -32602, message: `Invalid parameters: message.parts[0].${tag} is required` };
  sendRpcError(reply, call["id"], error);
}

/** Returns the message parts of a JSON-RPC call. */
function partsIn({ params }: JsonObject): JsonObject[] {
  const message = isObject(params) ? params["message"] : undefined;
  const parts = isObject(message) ? message["parts"] : undefined;
  return Array.isArray(parts) ? parts.filter((part: JsonValue): part is JsonObject => isObject(part)) : [];
}
