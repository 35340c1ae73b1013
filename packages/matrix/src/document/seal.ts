/** What a cell is about, so that no other result can take its place. */
export interface Seal {
  readonly client: SealedPackage;
  readonly server: SealedPackage;
  /** version of this tool, and digest of the scenarios */
  readonly suite: { readonly version: string; readonly scenarios: string };
  /** of the card that the server served; absent where there was none */
  readonly card?: string;
  readonly at: string;
  /** over the exchanges as this document holds them */
  readonly evidence: string;
  /** over the exchanges as they were recorded, where the document holds less */
  readonly recorded?: string;
  /** over everything else in the cell */
  readonly cell: string;
}

export interface SealedPackage {
  readonly package: string;
  /** as the running program said */
  readonly version: string;
  readonly command: readonly string[];
}
