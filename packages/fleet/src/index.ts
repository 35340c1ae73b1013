export { type AgentClass, agentClasses, type ClassReason } from "./classes/agent-class.ts";
export { type ReasonCode, reasons } from "./classes/reasons.ts";
export type { Examination, Examiner, FleetJob } from "./examining/examination.ts";
export { type ExamineOptions, examine } from "./examining/examine.ts";
export { openLedger } from "./ledger/ledger.ts";
export type { BuiltWith, FleetLedger, FleetVerdict, Sweep } from "./ledger/verdict.ts";
export type { ListedAgent, LoginReference } from "./listing/listed-agent.ts";
export type { FleetQueue, JobHandler, JobOutcome, QueueCounts } from "./queue/fleet-queue.ts";
export { InProcessQueue } from "./queue/in-process.ts";
