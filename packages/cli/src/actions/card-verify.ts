import { type ConnectionValues, parseAddress } from "@assay/library/connection";
import { defined } from "@assay/protocol";
import { trustedKeys } from "../card/card-keys.ts";
import { cardFrom, isFile } from "../card/card-source.ts";
import { conclusionOf, type VerifiedCard, verifiedCard } from "../card/verified-card.ts";
import type { CardVerifyFlags } from "../commands/card.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { escapeText } from "../terminal/escape.ts";
import type { Screen } from "../terminal/screen.ts";

const endings: Readonly<Record<VerifiedCard["is"], ExitCode>> = {
  verified: exitCodes.fine,
  failed: exitCodes.agent,
  unknown: exitCodes.usage,
};

/** Runs `assay card verify`: finds the card and the keys, and verifies each signature. */
export async function verifyCardOf(given: string, flags: CardVerifyFlags, screen: Screen): Promise<ExitCode> {
  const { key, json: asJson, ...connection } = flags;
  const card = await cardFrom(given, connection, screen);
  const keys = trustedKeys(key, isFile(given) ? undefined : parseAddress(given).host, networkOf(connection), screen);
  const result = await verifiedCard(card, keys);
  if (asJson) screen.json({ card: card.from, verdict: result.is, signatures: result.signatures }, 2);
  else show(result, screen);
  return endings[result.is];
}

/** Returns the connection options without credentials, which a key host must not receive. */
export const networkOf = ({ allowHosts, ca, insecure, contact, timeout }: ConnectionValues): ConnectionValues =>
  defined({ allowHosts, ca, insecure, contact, timeout });

function show(result: VerifiedCard, { line, colors }: Screen): void {
  const sign = { verified: colors.green("✓"), failed: colors.red("✗"), unknown: colors.yellow("?") };
  for (const [index, each] of result.signatures.entries()) {
    const names = [each.kid && `kid ${each.kid}`, each.alg].filter(Boolean).join(", ");
    line(`${sign[each.is]} signatures[${index}]${names && `  ${escapeText(names)}`}${colors.dim(`  ${each.code}`)}`);
    line(`  ${escapeText(each.because)}`);
  }
  if (result.signatures.length) line();
  line(conclusionOf(result));
}
