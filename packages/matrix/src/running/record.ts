import type { MatrixCause } from "../causes/matrix-cause.ts";
import type { UnsealedCell } from "../document/cell.ts";
import type { Chain } from "../document/chain.ts";
import type { MatrixExchange } from "../document/evidence.ts";
import { digestOf, type Seal, type SealedPackage } from "../document/seal.ts";
import type { DriverDescription } from "../driver/description.ts";
import type { Pairing } from "./pairing.ts";
import type { PairingResult } from "./run-pairing.ts";

/** What is written down as soon as a pairing is over, so that a matrix that was cut off can go on. */
export interface PairingRecord {
  readonly is: "pairing";
  readonly id: string;
  readonly duration_ms: number;
  readonly cells: readonly UnsealedCell[];
  /** everything that crossed */
  readonly exchanges: readonly MatrixExchange[];
  readonly causes: readonly Omit<MatrixCause, "cells" | "blame">[];
}

export interface ChainRecord {
  readonly is: "chain";
  readonly id: string;
  readonly duration_ms: number;
  readonly chain: Chain;
  readonly exchanges: readonly MatrixExchange[];
}

export type MatrixRecord = PairingRecord | ChainRecord;

/** Puts down what a pairing came to, each cell with what its seal will say. */
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

const packageOf = (driver: DriverDescription, role: "client" | "server"): SealedPackage => ({
  package: driver.package,
  // What the program says of itself is held against driver.yaml when it starts.
  version: driver.version,
  command: driver[role]!.command,
});
