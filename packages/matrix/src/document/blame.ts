/** Whose a red cell is, derived from the bytes. */
export const blamed = ["client", "server", "both", "specification", "unclear"] as const;
export type Blamed = (typeof blamed)[number];

export interface Blame {
  readonly whose: Blamed;
  /** a paragraph for a reader who has not seen the bytes */
  readonly explanation: string;
  /** what leads there, each a sentence that names its exchange or rule */
  readonly reasons: readonly BlameReason[];
  /** of docs/spec/ambiguities.md: "AMB-01" */
  readonly ambiguity?: string;
}

export interface BlameReason {
  readonly says: string;
  readonly exchange?: string;
  readonly rule?: string;
}
