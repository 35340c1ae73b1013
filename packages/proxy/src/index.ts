export { openFaultFront } from "./faults/fault-front.ts";
export { faultKind, faultNames } from "./faults/fault-table.ts";
export { Faults } from "./faults/faults.ts";
export { GrowingMasker } from "./growing-masker.ts";
export { type CommonGround, commonGround, type Direction, type GroundRow } from "./interop/common-ground.ts";
export {
  type Exchanged,
  type Interop,
  type InteropAgent,
  type InteropDirection,
  type InteropOptions,
  interop,
  type Understanding,
} from "./interop/interop.ts";
export { interopEvents } from "./interop/interop-events.ts";
export { type PairResult, pairResults, stepResults } from "./interop/pair-results.ts";
export type { AgentCaller } from "./interop/say.ts";
export { ownClient, type StandIn, type StandInTarget } from "./interop/stand-in.ts";
export type { Notice, NoticeCode, Side } from "./passing/notice.ts";
export { type JudgingProxyOptions, type OpenProxy, openProxy } from "./proxy.ts";
export { callSeen, type PassedCall, type SeenCard, type SeenNotice, type Sight } from "./sight.ts";
