import { AgentCard, Message, Task } from "@a2a-js/sdk";
import { DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { isJsonRpcError } from "@a2a-js/sdk/errors";

type Json = Readonly<Record<string, unknown>>;

/** Answers every request with the payload. An envelope gets the id that the client expects. */
const answering =
  (payload: Json): typeof fetch =>
  async (_url, init) => {
    const { id } = typeof init?.body === "string" ? (JSON.parse(init.body) as Json) : {};
    const isCard = payload["jsonrpc"] === undefined;
    if (isCard && id === undefined) return Response.json(payload);
    return Response.json(isCard ? { jsonrpc: "2.0", id, result: payload } : { ...payload, id });
  };

const tenant = "";
const base = "http://127.0.0.1";

/** Returns the SDK client's view of a response, in ProtoJSON as the SDK prints it, or the error that it throws. */
export async function readByClient(request: Json | undefined): Promise<Json> {
  const { operation, wire_payload: payload } = (request ?? {}) as { operation?: string; wire_payload?: Json };
  const fetchImpl = answering(payload ?? {});
  const transport = await new JsonRpcTransportFactory({ fetchImpl }).create(base, AgentCard.fromJSON({}));
  try {
    switch (operation) {
      case "send_message": {
        const message = Message.fromJSON({ messageId: "1", role: "ROLE_USER", parts: [{ text: "hello" }] });
        const answer = await transport.sendMessage({ tenant, message, configuration: undefined, metadata: undefined });
        return "messageId" in answer
          ? { message: Message.toJSON(answer) as Json }
          : { task: Task.toJSON(answer) as Json };
      }
      case "get_task":
        return Task.toJSON(await transport.getTask({ tenant, id: "1" })) as Json;
      case "get_agent_card":
        return AgentCard.toJSON(await new DefaultAgentCardResolver({ fetchImpl }).resolve(base)) as Json;
      case "get_extended_agent_card":
        return AgentCard.toJSON(await transport.getExtendedAgentCard({ tenant })) as Json;
      default:
        return { error: { message: `no operation ${operation}` } };
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { error: { message, ...(isJsonRpcError(error) && { code: error.envelopeCode }) } };
  }
}
