export type { AgentDefinition } from "./agent.ts";
export { type ProfileOptions, profiles } from "./profiles.ts";
export type { DeadLetter } from "./push/dead-letter.ts";
export { startRecordedAgent } from "./recorded/index.ts";
export type { RecordedAgent } from "./recorded/recorded-agent.ts";
export type { LoggedRequest } from "./server/request-log.ts";
export {
  loadFamilies,
  startTestbed,
  type Testbed,
  type TestbedOptions,
  UnknownAgent,
  UnknownMutant,
} from "./testbed.ts";
