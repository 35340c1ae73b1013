import type { ContractRequirement } from "./requirement.ts";
import { tier1 } from "./tier-1.ts";
import { tier2, tier3 } from "./tiers-2-and-3.ts";

/** All requirements of the contract, in its order. */
export const requirements: readonly ContractRequirement[] = [...tier1, ...tier2, ...tier3];
