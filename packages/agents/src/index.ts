export type { AgentDefinition } from "./agent.ts";
export { type ProfileOptions, profiles } from "./profiles.ts";
export { type RecordedAgent, type RecordedAgentOptions, startRecordedAgent } from "./recorded/serve-recorded.ts";
export type { LoggedRequest } from "./server/request-log.ts";
export {
  loadFamilies,
  startTestbed,
  type Testbed,
  type TestbedOptions,
  UnknownAgent,
  UnknownMutant,
} from "./testbed.ts";
