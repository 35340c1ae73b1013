export { type AgentClass, agentClasses, type ClassReason } from "./classes/agent-class.ts";
export type { Examination, Examiner, FleetJob } from "./examining/examination.ts";
export { openLedger } from "./ledger/ledger.ts";
export type { FleetLedger, FleetVerdict, Sweep } from "./ledger/verdict.ts";
export type { ListedAgent, LoginReference } from "./listing/listed-agent.ts";
export type { FleetQueue, JobOutcome, QueueCounts } from "./queue/fleet-queue.ts";
