import type { MatrixCause } from "../causes/matrix-cause.ts";
import type { UnsealedCell } from "../document/cell.ts";
import type { Chain } from "../document/chain.ts";
import type { MatrixExchange } from "../document/evidence.ts";
import { digestOf, type Seal, type SealedPackage } from "../document/seal.ts";
import type { DriverDescription } from "../driver/description.ts";
import type { Pairing } from "./pairing.ts";
import type { PairingResult } from "./run-pairing.ts";

/** A record that is written when a pairing is done, so that an interrupted matrix can continue. */
export interface PairingRecord {
  readonly is: "pairing";
  readonly id: string;
  readonly duration_ms: number;
  readonly cells: readonly UnsealedCell[];
  /** all exchanges */
  readonly exchanges: readonly MatrixExchange[];
  readonly causes: readonly Omit<MatrixCause, "cells" | "blame">[];
}

export interface ChainRecord {
  readonly is: "chain";
  readonly id: string;
  readonly duration_ms: number;
  /** the servers by name, and the suite that relayed between them */
  readonly seal: { readonly servers: Readonly<Record<string, SealedPackage>>; readonly suite: SealedSuite };
  readonly chain: Chain;
  readonly exchanges: readonly MatrixExchange[];
}

export type MatrixRecord = PairingRecord | ChainRecord;

/** Records the results of a pairing, each cell with its seal. */
export function recordOf(
  { id, client, server }: Pairing,
  { cells, exchanges, causes, card }: PairingResult,
  { suite, at, duration_ms }: { readonly suite: SealedSuite; readonly at: string; readonly duration_ms: number },
): PairingRecord {
  const seal = {
    client: packageOf(client, "client"),
    server: packageOf(server, "server"),
    suite,
    ...(card !== undefined && { card: digestOf(card) }),
    at,
  };
  return { is: "pairing", id, duration_ms, cells: cells.map((cell) => ({ ...cell, seal })), exchanges, causes };
}

/** The version of this tool, and the digest of the scenarios. */
export type SealedSuite = Seal["suite"];

export const packageOf = (driver: DriverDescription, role: "client" | "server"): SealedPackage => ({
  package: driver.package,
  // The program's report is compared with driver.yaml when it starts.
  version: driver.version,
  command: driver[role]!.command,
});
