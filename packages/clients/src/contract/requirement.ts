/** The revision of the contract that Assay measures. */
export const revision = {
  contract: "a2a-cli",
  version: "0.2",
  date: "2026-08-17",
  commit: "8dd9249e9ff7758764b581ebf23ef59b79b36faa",
} as const;

export type Tier = 1 | 2 | 3;

export const tiers: readonly Tier[] = [1, 2, 3];

/** One requirement of the contract, in our own words. */
export interface ContractRequirement {
  readonly id: `A2ACLI_${string}`;
  readonly tier: Tier;
  /** the sections of the contract's specification */
  readonly spec: string;
  readonly title: string;
  readonly measured: string;
  /** without this requirement, a run shows nothing about the other one */
  readonly needs?: `A2ACLI_${string}`;
  /** the only reason for which a requirement may be inapplicable */
  readonly inapplicableIf?: string;
}

type Row = readonly [
  name: string,
  spec: string,
  title: string,
  measured: string,
  more?: { readonly needs?: string; readonly inapplicableIf?: string },
];

/** Builds the requirements of one tier from short rows. */
export const inTier = (tier: Tier, rows: readonly Row[]): readonly ContractRequirement[] =>
  rows.map(([name, spec, title, measured, { needs, inapplicableIf } = {}]) => ({
    id: `A2ACLI_${name}`,
    tier,
    spec,
    title,
    measured,
    ...(needs !== undefined && { needs: `A2ACLI_${needs}` as const }),
    ...(inapplicableIf !== undefined && { inapplicableIf }),
  }));

/** Returns the area of a requirement: `A2ACLI_TASK_GET_001` is in `TASK_GET`. */
export const areaOf = (id: string): string => id.replace(/^A2ACLI_/, "").replace(/_\d+$/, "");
