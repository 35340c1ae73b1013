import type { MatrixCause } from "../document/cause.ts";
import type { Cell } from "../document/cell.ts";
import type { Chain } from "../document/chain.ts";
import type { MatrixExchange } from "../document/evidence.ts";

/** What is written down as soon as a pairing is over, so that a matrix that was cut off can go on. */
export interface PairingRecord {
  readonly is: "pairing";
  readonly id: string;
  readonly duration_ms: number;
  readonly cells: readonly Cell[];
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
