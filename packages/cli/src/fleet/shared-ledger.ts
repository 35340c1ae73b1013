import type { FleetLedger, HostLimits, Politeness } from "@assay/fleet";
import { blaming } from "../exit.ts";

/** What a sweep keeps, and all workers of a fleet share besides the queue. */
export interface SharedLedger {
  readonly ledger: FleetLedger;
  readonly politeness: Politeness;
}

/** Opens the ledger at an address, and the turns at hosts that are kept beside it. */
export async function openSharedLedger(address: string, limits: HostLimits): Promise<SharedLedger> {
  const { openLedger, openPoliteness } = await import("@assay/fleet");
  const asUsage = blaming("--history");
  const ledger = await openLedger(address).catch(asUsage);
  const politeness = await openPoliteness(address, limits).catch(async (error: Error) => {
    await ledger.close();
    return asUsage(error);
  });
  return { ledger, politeness };
}
