import type { PageOptions } from "@assay/suite/options";
import type { ExchangeRecorded, RunHeadline } from "@assay/suite/report";

/**
 * The address and the credentials for an agent. It contains secrets, so it is sent in bodies and kept only in the
 * page's memory.
 */
export interface AgentAccess {
  readonly url: string;
  readonly login?: Login;
  /** sent with every request to that address */
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
}

export type Login =
  | { readonly kind: "bearer"; readonly token: string }
  | { readonly kind: "api-key"; readonly name: string; readonly key: string }
  | { readonly kind: "basic"; readonly user: string; readonly password: string }
  | {
      readonly kind: "oauth-client";
      readonly client: string;
      readonly secret: string;
      readonly tokenUrl: string;
      readonly scope?: string;
    };

/** The request that starts a test: `POST /api/runs`. */
export interface RunWish extends AgentAccess, PageOptions {}

/**
 * The request that starts a test of a gateway: `POST /api/gateway-runs`. `url` is the address of the agent at the
 * gateway.
 */
export interface GatewayWish extends AgentAccess {
  /** the address of the same agent without the gateway; absent: Assay starts an agent behind the gateway */
  readonly direct?: string;
  /** where that agent listens */
  readonly upstreamPort?: number;
}

/** One run in the list of runs: `GET /api/runs`. */
export interface RunLine extends RunHeadline {
  /** the history has the outcome; the recording with its exchanges is missing */
  readonly isReportOnly?: true;
  /** the run is in progress */
  readonly isRunning?: true;
}

/** An exchange in a list. The viewer loads the whole exchange by its id. */
export interface ExchangeLine extends Pick<ExchangeRecorded, "id" | "operation" | "interface" | "during" | "working"> {
  readonly method: string;
  readonly url: string;
  /** 0 if no response arrived */
  readonly status: number;
  readonly startedAt: string;
  readonly ms: number;
  /** the number of events of a stream */
  readonly events?: number;
  /** the faults that changed it, as in `--fault` */
  readonly faults?: readonly string[];
}

/** A part of the list of exchanges: `GET /api/runs/:run/exchanges?from=…&count=…`. */
export interface ExchangePage {
  readonly total: number;
  readonly from: number;
  readonly lines: readonly ExchangeLine[];
}

/**
 * The response of `GET /api/runs/:run` for a run that is in progress or has no results to keep. Its events can be
 * followed.
 */
export interface LiveRunDocument {
  readonly run: string;
  readonly isLive: true;
}
