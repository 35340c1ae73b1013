import type { ExchangeRecorded, RunEvent } from "@assay/suite/report";
import { exchangeLine } from "./exchange-line.ts";
import type { ExchangeLine } from "./runs.ts";

/** An event of a run for those who watch it: exchanges without their bodies, which are asked for when they are looked at. */
export type LiveEvent =
  | Exclude<RunEvent, ExchangeRecorded>
  | { readonly event: "exchange-line"; readonly line: ExchangeLine }
  /** it could not go on, by a fault of ours or of what was asked for */
  | { readonly event: "run-broke"; readonly message: string; readonly hint?: string };

/** What `GET /api/runs/:run/events` tells, in the order of `n`: one that was told before is told again after a reconnect. */
export interface NumberedEvent {
  readonly n: number;
  readonly event: LiveEvent;
}

export const liveEvent = (event: RunEvent): LiveEvent =>
  event.event === "exchange" ? { event: "exchange-line", line: exchangeLine(event) } : event;
