import type { Ledger } from "@assay/wire/server";
import type { Relay } from "../definition/skill.ts";

/** The most that is read of what another agent answers. */
export const relayedBytes = 2 * 1024 * 1024;

/** The relay of a caller. */
export type ChargedRelay = (account: string) => Relay;

/** Relays under way are charged for as much as they may come to hold: the text on its way out, twice the answer. */
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
