import { type NormalisedCard, normaliseCard } from "@assay/protocol";
import type { HttpClient } from "../client/http.ts";
import type { HeaderPairs } from "../recording/exchange.ts";
import type { FoundCard } from "./discover.ts";
import { isUndated, meantByOlderCard, probeEveryDialect } from "./probe.ts";

/** A card in our words. Where it names no version, the agent is asked which it speaks. */
export async function readFoundCard(
  client: HttpClient,
  { json }: Pick<FoundCard, "json">,
  headers: HeaderPairs = [],
): Promise<NormalisedCard> {
  const read = normaliseCard(json);
  const [first] = read.interfaces;
  if (!first || !isUndated(json, read.interfaces)) return read;
  const { found: answered } = await probeEveryDialect(client, first.url, headers);
  const probed = meantByOlderCard(answered, read.dialects);
  if (!probed) return read;
  const interfaces = read.interfaces.map((each) => ({ ...each, dialect: probed.dialect }));
  return {
    ...normaliseCard(json, probed.dialect),
    interfaces,
    // The members of the card only suggested a version; the endpoint has told which one it speaks.
    dialects: [probed],
  };
}
