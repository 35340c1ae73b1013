import type { ExchangeRecorded, RunEvent } from "@assay/suite/report";
import { exchangeLine } from "./exchange-line.ts";
import type { ExchangeLine } from "./runs.ts";

/** An event of a run for live viewers. Exchanges have no bodies; the viewer loads those on demand. */
export type LiveEvent =
  | Exclude<RunEvent, ExchangeRecorded>
  | { readonly event: "exchange-line"; readonly line: ExchangeLine }
  /** the run stopped because of an internal error or an invalid request */
  | { readonly event: "run-broke"; readonly message: string; readonly hint?: string };

/**
 * An event of `GET /api/runs/:run/events`, in the order of `n`. After a reconnect, the server sends earlier events
 * again.
 */
export interface NumberedEvent {
  readonly n: number;
  readonly event: LiveEvent;
}

export const liveEvent = (event: RunEvent): LiveEvent =>
  event.event === "exchange" ? { event: "exchange-line", line: exchangeLine(event) } : event;
