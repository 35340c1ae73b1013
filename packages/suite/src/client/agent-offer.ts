import { type JsonObject, normaliseCard } from "@assay/protocol";
import { factsOf, speakableIn } from "../card/agent-facts.ts";
import type { AgentOffer } from "./client-request.ts";

/** Reads what a card offers to clients, and tolerates mistakes. */
export function offerOf(card: JsonObject, cardUrl: string): AgentOffer {
  const interfaces = speakableIn(normaliseCard(card).interfaces, cardUrl);
  const facts = factsOf(card, cardUrl, interfaces, interfaces[0]?.dialect);
  const { streaming, pushNotifications, extendedAgentCard, extensions } = facts;
  return { card, cardUrl, interfaces, streaming, pushNotifications, extendedAgentCard, extensions };
}
