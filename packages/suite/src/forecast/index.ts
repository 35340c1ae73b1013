export { profiles } from "#profiles";
export { type ClientForecast, type ForecastVerdict, forecastOf, forecastVerdicts } from "./forecast.ts";
export { forecastAnswer, forecastLine } from "./forecast-text.ts";
export { type ClientProfile, profileOf } from "./profile.ts";
export { type RunForecast, runForecast } from "./run-forecast.ts";
export { type AgentTraits, traitsOf } from "./traits.ts";
