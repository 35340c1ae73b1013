export type { AgentDefinition } from "./agent.ts";
export { type ProfileOptions, profiles } from "./profiles.ts";
export { startTestbed, type Testbed, type TestbedOptions, UnknownMutant } from "./testbed.ts";
