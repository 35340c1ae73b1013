import type { AgentCard, JsonObject } from "@assay/protocol";
import { signCard } from "@assay/protocol/signature";
import { createKeyPair } from "@assay/wire/key-pair";
import type { Script } from "./ends.ts";

const extension = { uri: "https://assay.invalid/extensions/gateway-test", required: false, params: { level: 1 } };

/** The addresses of an agent, with and without gRPC. */
interface AgentAddresses {
  readonly http: string;
  /** without a scheme */
  readonly grpc: string;
}

/** Moves the interfaces on a card to the gateway, adds members that gateways lose most often, and signs it. */
export async function signedTestCard(own: JsonObject, from: AgentAddresses, to: AgentAddresses): Promise<string> {
  const moved = JSON.stringify(own).replaceAll(from.http, to.http).replaceAll(from.grpc, to.grpc);
  const card = JSON.parse(moved) as JsonObject;
  const capabilities = card["capabilities"] as JsonObject;
  const full = {
    ...card,
    // A gateway may replace its own address everywhere, so no other member has one.
    provider: { organization: "Assay", url: "https://assay.invalid" },
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

/** Returns a card of 0.3. */
export const olderTestCard = (through: string): string =>
  JSON.stringify({
    protocolVersion: "0.3.0",
    name: "Gateway test",
    description: "An agent of A2A 0.3 behind a gateway.",
    version: "1.0.0",
    url: through,
    preferredTransport: "JSONRPC",
    additionalInterfaces: [
      { url: through, transport: "JSONRPC" },
      { url: through, transport: "HTTP+JSON" },
    ],
    capabilities: { streaming: true, pushNotifications: true, stateTransitionHistory: false, extensions: [extension] },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "echo", name: "Echo", description: "Repeats the message.", tags: ["test"] }],
    securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
    security: [{ bearer: [] }],
    supportsAuthenticatedExtendedCard: false,
    assayUnknownMember: { kept: true },
  });

/** Serves a card in place of the agent's own, at the well-known path only. */
export const servingCard =
  (card: string): Script =>
  ({ path }, reply) => {
    if (!path.endsWith("/.well-known/agent-card.json")) return reply.send(404, {}, "");
    reply.send(
      200,
      { "Content-Type": "application/json", "Cache-Control": "max-age=60", ETag: '"gateway-test"' },
      card,
    );
  };
