import type { Ledger } from "@assay/wire/server";
import type { Relay } from "../definition/skill.ts";

/** Maximum number of bytes read from another agent's answer. */
export const relayedBytes = 2 * 1024 * 1024;

/** Returns the relay of a caller. */
export type ChargedRelay = (account: string) => Relay;

/** Charges running relays for their maximum memory: the outgoing text and twice the answer. */
export const chargedRelay =
  (relay: Relay, ledger: Ledger): ChargedRelay =>
  (account) =>
  async (cardUrl, text, signal) => {
    const bytes = 2 * relayedBytes + 4 * text.length;
    ledger.charge(account, bytes);
    try {
      return await relay(cardUrl, text, signal);
    } finally {
      ledger.release(account, bytes);
    }
  };
