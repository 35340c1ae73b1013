import type { AgentCard, JsonObject } from "@assay/protocol";
import { signCard } from "@assay/protocol/signature";
import { createKeyPair } from "@assay/wire/key-pair";
import type { Script } from "./ends.ts";

/** Adds members that gateways lose most often to a card, and signs it. */
export async function signedTestCard(card: JsonObject): Promise<string> {
  const capabilities = card["capabilities"] as JsonObject;
  const extension = { uri: "https://assay.invalid/extensions/gateway-test", required: false, params: { level: 1 } };
  const full = {
    ...card,
    capabilities: { ...capabilities, extensions: [extension] },
    assayUnknownMember: { kept: true },
  };
  const { privateKey } = createKeyPair("P-256");
  // The test bed wrote this card, so the type is correct.
  const signature = await signCard(full as unknown as AgentCard, {
    key: privateKey,
    alg: "ES256",
    kid: "gateway-test",
  });
  return JSON.stringify({ ...full, signatures: [{ ...signature }] });
}

/** Serves a card in place of the agent's own. */
export const servingCard =
  (card: string): Script =>
  (_request, reply) =>
    reply.send(
      200,
      { "Content-Type": "application/json", "Cache-Control": "max-age=60", ETag: '"gateway-test"' },
      card,
    );
