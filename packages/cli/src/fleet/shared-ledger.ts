import type { FleetLedger, HostLimits, Politeness } from "@assay/fleet";
import { UsageError } from "../exit.ts";
import type { Screen } from "../terminal/screen.ts";
import { readAddress } from "./given-address.ts";

/** What all workers of a fleet share besides the queue. */
export interface SharedLedger {
  readonly ledger: FleetLedger;
  readonly politeness: Politeness;
}

/** Opens the ledger that `--history` names, and the turns at hosts that are kept beside it. */
export async function openSharedLedger(given: string, screen: Screen, limits: HostLimits): Promise<SharedLedger> {
  const { openLedger, openPoliteness } = await import("@assay/fleet");
  const address = readAddress("--history", given, screen);
  const asUsage = (error: Error): never => {
    throw error.name === "DatabaseUnavailable" ? new UsageError(`--history: ${error.message}`) : error;
  };
  const ledger = await openLedger(address).catch(asUsage);
  const politeness = await openPoliteness(address, limits).catch(async (error: Error) => {
    await ledger.close();
    return asUsage(error);
  });
  return { ledger, politeness };
}
