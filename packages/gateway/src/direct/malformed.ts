import { randomUUID } from "node:crypto";
import type { PeerInterface, RequestSpec } from "@assay/wire";
import type { AgentPath } from "./agent-path.ts";

/** Writes a message whose body is not JSON, so it starts no task. */
export async function malformedRequest(path: AgentPath, on: PeerInterface): Promise<RequestSpec> {
  const message = { messageId: randomUUID(), role: "ROLE_USER" as const, parts: [{ text: "malformed" }] };
  return { ...(await path.write(on, "SendMessage", { message })), body: Buffer.from(`{"message":`) };
}
