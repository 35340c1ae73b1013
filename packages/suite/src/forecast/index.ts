export { profiles } from "#profiles";
export { forecastOf } from "./forecast.ts";
export { type ClientProfile, profileOf } from "./profile.ts";
export { runForecast } from "./run-forecast.ts";
export { type AgentTraits, traitsOf } from "./traits.ts";
