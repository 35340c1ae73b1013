export { profiles } from "#profiles";
export { type AbilityId, abilities } from "./abilities.ts";
export { type ClientProfile, type Measurement, profileOf } from "./profile.ts";
