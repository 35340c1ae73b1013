export type { ClientTestOptions } from "./options.ts";
export {
  type SeenRequest,
  type ServedSituations,
  type ServeSituationsOptions,
  type SituationVerdict,
  serveSituations,
} from "./served-situations.ts";
export { testClient } from "./test-client.ts";
export { agentNameIn, TrafficJudge } from "./traffic.ts";
