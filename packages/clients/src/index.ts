export { toolName } from "./contract/lab.ts";
export { type ContractMeasurement, type MeasureOptions, measureContract } from "./contract/measure.ts";
export type { ContractOutcome } from "./contract/outcome.ts";
export { type ContractReport, contractReport } from "./contract/report.ts";
export { type ContractRequirement, revision, type Tier } from "./contract/requirement.ts";
export { requirements } from "./contract/requirements.ts";
export type { ClientEnvironment, ClientTestOptions } from "./options.ts";
export {
  type SeenRequest,
  type ServedSituations,
  type ServeSituationsOptions,
  type SituationVerdict,
  serveSituations,
} from "./served-situations.ts";
export { shownCommand } from "./shown-command.ts";
export { testClient } from "./test-client.ts";
export { agentNameIn, TrafficJudge } from "./traffic.ts";
