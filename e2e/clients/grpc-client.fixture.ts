import { randomUUID } from "node:crypto";
import type { ClientTestOptions } from "@assay/clients";
import { isObject, normaliseCard } from "@assay/protocol";
import { chooseInterface, createEgressGuard, createPeerClients, openLine } from "@assay/wire";

/** A client over gRPC, on the peer of our own; `isMute`: one that sends no service parameters. */
export const grpcClient =
  ({ isMute = false } = {}): NonNullable<ClientTestOptions["drive"]> =>
  async (env, signal) => {
    const clients = createPeerClients({ guard: createEgressGuard({ allowLoopback: true }), userAgent: "client" });
    try {
      const response = await fetch(`${env["ASSAY_AGENT_URL"]}/.well-known/agent-card.json`, { signal });
      const { interfaces } = normaliseCard(await response.json());
      const on = chooseInterface(interfaces, { binding: "GRPC", dialect: "1.0" });
      if (!on || env["ASSAY_ACTION"] !== "send") return { exit: 75, output: "" };
      const line = await openLine(clients, on, isMute ? { edit: () => [] } : {});
      const message = { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text: env["ASSAY_MESSAGE"]! }] };
      const answer = await line.call("SendMessage", { message }, signal);
      return answer.is === "result" && isObject(answer.json)
        ? { exit: 0, output: JSON.stringify(answer.json) }
        : { exit: 1, output: "", errors: "no answer" };
    } finally {
      await clients.close();
    }
  };
