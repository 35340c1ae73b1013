import type { BindingName, MatrixVersion } from "./document.ts";

/** One instruction that is relayed from server to server, so that each asks each other one once. */
export interface Chain {
  readonly binding: BindingName;
  readonly version: MatrixVersion;
  /** the servers that take part */
  readonly servers: readonly string[];
  readonly edges: readonly ChainEdge[];
  /** a chain that broke was taken up again behind the broken edge: how many instructions it took */
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
