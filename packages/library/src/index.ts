/**
 * `import … from "a2a-assay"`: the test of an agent, the check of a card and the test bed, for programs and test files.
 */

export type { ClientEnvironment, ServedSituations, SituationVerdict } from "@assay/clients";
export type { CardFinding } from "@assay/protocol";
export { UsageError } from "@assay/protocol/assay-error";
export type {
  ConformanceLevel,
  ConformanceOutcome,
  ConformanceReport,
  ConformanceResult,
  Depth,
  RunEvent,
} from "@assay/suite/report";
export { runEvents, testAgent } from "./agent-test.ts";
export { type CheckedCard, checkCard } from "./card-check.ts";
export {
  type ClientFunction,
  type ClientOptions,
  type SituationOptions,
  serveSituations,
  testClient,
} from "./client-test.ts";
export { assertConformant, type ConformanceDemands, conformanceMatchers } from "./conformance.ts";
export { AgentFault } from "./connection/agent-fault.ts";
export type { AgentTestOptions, ConnectionOptions } from "./options.ts";
export { type ServedTestbed, type ServeOptions, serveTestbed } from "./testbed.ts";
