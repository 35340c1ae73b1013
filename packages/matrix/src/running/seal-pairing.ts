import type { SealedPackage } from "../document/seal.ts";
import type { DriverDescription } from "../driver/description.ts";
import { digestOf, sealed } from "../sealing/seal.ts";
import type { Pairing } from "./pairing.ts";
import type { PairingRecord } from "./record.ts";
import type { PairingResult } from "./run-pairing.ts";

/** What a pairing came to, each cell with its seal. */
export function recordOf(
  { id, client, server }: Pairing,
  { cells, exchanges, causes, card }: PairingResult,
  { suite, at, duration_ms }: { readonly suite: SealedSuite; readonly at: string; readonly duration_ms: number },
): PairingRecord {
  const held = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const sealing = {
    client: packageOf(client, "client"),
    server: packageOf(server, "server"),
    suite,
    ...(card !== undefined && { card: digestOf(card) }),
    at,
  };
  return {
    is: "pairing",
    id,
    duration_ms,
    cells: cells.map((cell) =>
      sealed(
        cell,
        sealing,
        cell.exchanges.flatMap((each) => held.get(each) ?? []),
      ),
    ),
    exchanges,
    causes,
  };
}

/** The version of this tool, and the digest of the scenarios. */
export interface SealedSuite {
  readonly version: string;
  readonly scenarios: string;
}

const packageOf = (driver: DriverDescription, role: "client" | "server"): SealedPackage => ({
  package: driver.package,
  // What the program says of itself is held against driver.yaml when it starts.
  version: driver.version,
  command: driver[role]!.command,
});
