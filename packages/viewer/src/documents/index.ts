/** The documents that the API of `assay ui` and the viewer exchange. */

export { exchangeLine } from "./exchange-line.ts";
export { type LiveEvent, liveEvent, type NumberedEvent } from "./live-event.ts";
export type { PlanBlock, PlanPage, SideRow } from "./plan.ts";
export type { RuleRow } from "./rules.ts";
export type { AgentAccess, ExchangePage, GatewayWish, LiveRunDocument, Login, RunLine, RunWish } from "./runs.ts";
export type { OfferedAgent, SiteDocument } from "./session.ts";
export type {
  TalkDocument,
  TalkEvent,
  TalkTrouble,
  TalkViolation,
  TurnArrival,
  WireText,
  WireView,
} from "./talk.ts";
export type { TestbedDocument } from "./testbed.ts";
export type { WatchDocument, WatchEvent } from "./watch.ts";
