export { profiles } from "#profiles";
export { forecastOf } from "./forecast.ts";
export { type ClientProfile, profileOf, readProfile, whyNoProfile } from "./profile.ts";
export { runForecast } from "./run-forecast.ts";
export { strandedClients } from "./stranded-clients.ts";
export { type AgentTraits, traitsOf } from "./traits.ts";
