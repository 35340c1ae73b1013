import { type AgentCard, restStatusV03, v02, writeRestErrorV03 } from "@assay/protocol";
import type { WireReply, WireRequest } from "@assay/wire/server";
import { advice } from "./failure.ts";
import { writtenAs } from "./frames.ts";
import type { AgentHost } from "./host.ts";
import { methodNotAllowed } from "./rest.ts";
import type { Visit } from "./visit.ts";

/** Where 0.2 has the extended card, below the directory that the card's `url` stands for (`{url}/../agent/…`). */
export const extendedCardPath = "/agent/authenticatedExtendedCard";

/** The extended card as 0.2 has it: no call of the protocol, but a plain GET. */
export async function serveExtendedCard(
  host: AgentHost,
  request: WireRequest,
  reply: WireReply,
  visit: Visit,
): Promise<void> {
  const { definition, gate } = host;
  const codec = definition.layers?.codec;
  const operation = "GetExtendedAgentCard";
  visit.operation = operation;
  try {
    const principal = gate.authenticate(request, definition);
    if (request.method !== "GET") throw methodNotAllowed(request.method, ["GET"]);
    gate.authorize(principal, operation, definition);
    const { answer } = await host.perform(
      host,
      operation,
      {},
      {
        tenant: "",
        principal,
        extensions: [],
        authorization: request.headers.authorization,
        baseUrl: visit.baseUrl,
        clientIds: false,
        signal: request.signal,
      },
    );
    const card = v02.writeCard(answer as AgentCard);
    const shown = codec ? codec(card, writtenAs("answer", "HTTP+JSON", v02, operation)) : card;
    const headers = { ...visit.headers, "Content-Type": "application/json", "Cache-Control": "private, no-store" };
    reply.send(200, headers, JSON.stringify(shown));
  } catch (thrown) {
    const error = visit.failed(thrown);
    const headers = { "Content-Type": "application/json", ...visit.headers, ...advice(error, definition) };
    reply.send(restStatusV03(error), headers, writeRestErrorV03(error));
  }
}
