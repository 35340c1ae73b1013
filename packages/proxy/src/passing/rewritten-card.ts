import type { HeaderPairs } from "@assay/wire";
import { cardIn, passedCard } from "./card.ts";
import type { Passing } from "./client-connection.ts";

/** Returns the card that a client gets, with headers that fit it. Reports a card that cannot be read. */
export function rewrittenCard(
  body: Buffer,
  fields: HeaderPairs,
  proxy: Passing,
  url: string,
): { readonly headers: HeaderPairs; readonly text: Buffer } {
  const card = cardIn(body);
  const passed = card && passedCard(proxy.offered(card), proxy.map);
  if (passed) proxy.cardPassed({ url, card, changes: passed.changes });
  else proxy.notice("agent", "card-unreadable", unchangedCard("is not a readable JSON object"));
  const text = passed ? Buffer.from(JSON.stringify(passed.card)) : body;
  // Headers about the original bytes are no longer correct.
  const kept = fields.filter(
    ([name]) => !/^(content-length|content-md5|digest|content-digest|repr-digest)$/i.test(name),
  );
  return { headers: [...kept, ["Content-Length", `${text.length}`]], text };
}

export const unchangedCard = (why: string): string => `the card ${why}; it was forwarded unchanged`;
