import { followerCases } from "./cases/followers.fixture.ts";
import { listingCases } from "./cases/listing.fixture.ts";
import { logCases } from "./cases/log.fixture.ts";
import { ownershipCases } from "./cases/ownership.fixture.ts";
import type { StoreCase } from "./cases/store-case.fixture.ts";

/** Test cases for every store. */
export const storeCases: readonly StoreCase[] = [...logCases, ...followerCases, ...listingCases, ...ownershipCases];
