export type { AgentDefinition } from "./agent.ts";
export { startTestbed, type Testbed, type TestbedOptions } from "./testbed.ts";
