import { lintCard, type NormalisedCard, normaliseCard } from "@assay/protocol";
import type { CheckedCard } from "../card-check.ts";
import { type Connection, findCard, readCard } from "./connection.ts";

/** Checks the card of the agent at this address over a connection that the caller opened. */
export async function checkCardAt(address: string, connection: Connection, signal?: AbortSignal): Promise<CheckedCard> {
  const found = await findCard(address, connection, signal);
  return { url: found.url, ...judgedCard(found.json, await readCard(connection, found, signal)) };
}

/** Checks a card that the caller passes. */
export function judgedCard(
  card: Readonly<Record<string, unknown>>,
  { dialects, interfaces }: NormalisedCard = normaliseCard(card),
): CheckedCard {
  const findings = lintCard(card);
  return { card, dialects, interfaces, findings, valid: !findings.some(({ level }) => level === "error") };
}
