export type { AgentDefinition } from "./definition/agent.ts";
export { isLogin } from "./identity/places.ts";
export { openTelemetry } from "./operating/opentelemetry.ts";
export type { LoggedRequest } from "./operating/request-log.ts";
export { currentRequest, type RequestScope } from "./operating/request-scope.ts";
export type { OutageNotice } from "./operating/store-outage.ts";
export type { Tracing } from "./operating/tracing.ts";
export { startRecordedAgent } from "./recorded/index.ts";
export type { RecordedAgent } from "./recorded/recorded-agent.ts";
export type { DeadLetter } from "./store/dead-letter.ts";
export type { Testbed, TestbedOptions } from "./testbed/options.ts";
export { type ProfileOptions, profiles } from "./testbed/profiles.ts";
export {
  loadFamilies,
  startTestbed,
} from "./testbed/testbed.ts";
