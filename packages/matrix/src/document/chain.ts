import type { BindingName, MatrixVersion } from "./document.ts";

/** One instruction relayed from server to server, so that each asks every other one once. */
export interface Chain {
  readonly binding: BindingName;
  readonly version: MatrixVersion;
  /** the servers that take part */
  readonly servers: readonly string[];
  readonly edges: readonly ChainEdge[];
  /** number of instructions: a broken chain continues after the broken edge */
  readonly instructions: number;
  readonly duration_ms: number;
}

/** One server asks another, with the client of its SDK. */
export interface ChainEdge {
  readonly from: string;
  readonly to: string;
  readonly outcome: "passed" | "failed" | "not-run";
  readonly because?: string;
  readonly exchanges: readonly string[];
}
