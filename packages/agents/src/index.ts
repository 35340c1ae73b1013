export type { AgentDefinition } from "./agent.ts";
export { openTelemetry } from "./operating/opentelemetry.ts";
export type { LoggedRequest } from "./operating/request-log.ts";
export { currentRequest, type RequestScope } from "./operating/request-scope.ts";
export type { Tracing } from "./operating/tracing.ts";
export { type ProfileOptions, profiles } from "./profiles.ts";
export { startRecordedAgent } from "./recorded/index.ts";
export type { RecordedAgent } from "./recorded/recorded-agent.ts";
export {
  loadFamilies,
  startTestbed,
  type Testbed,
  type TestbedOptions,
  UnknownAgent,
  UnknownMutant,
} from "./testbed.ts";
