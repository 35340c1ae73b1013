import { isLoopback } from "@assay/protocol";

/** Addresses without TLS; on the machine itself the way is not open to others. */
export const openAddressesIn = (words: string): readonly string[] =>
  (words.match(/\bhttp:\/\/[^\s"'<>\\)]+/gi) ?? []).filter(
    (url) => !URL.canParse(url) || !isLoopback(new URL(url).hostname),
  );

const wish =
  /(?<!\b(?:not|never|don't) )\b(?:reply with|answer with|respond with|send|give|tell|type|paste|provide|share)\b[^.!?]{0,40}\b(?:password|passphrase|pin|secret|api[ -]?key|access token|one-time code)\b/i;

/** Whether a secret is to be sent in a message: said in so many words, and with no other place named to enter it. */
export const asksForSecret = (words: string): boolean =>
  wish.test(words) && !/https?:\/\/|\b(page|browser|website|portal|app|dialog|elsewhere)\b/i.test(words);
