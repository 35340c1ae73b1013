import type { PageOptions } from "@assay/suite/options";
import type { ExchangeRecorded, RunHeadline } from "@assay/suite/report";

/** How an agent is reached, and as whom. Secrets are in here: it is sent in bodies, and kept in the memory of the page alone. */
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

/** What is asked of a test: `POST /api/runs`. */
export interface RunWish extends AgentAccess, PageOptions {}

/** A line of the list of runs: `GET /api/runs`. */
export interface RunLine extends RunHeadline {
  /** how many different rules are broken */
  readonly broken: number;
  /** the history knows how it went; its recording, and with it the exchanges, is not here */
  readonly isReportOnly?: true;
  /** it goes on at this moment */
  readonly isRunning?: true;
}

/** An exchange as it stands in a list; the whole of it is asked for by its id. */
export interface ExchangeLine extends Pick<ExchangeRecorded, "id" | "operation" | "interface" | "during" | "working"> {
  readonly method: string;
  readonly url: string;
  /** 0 where no answer came */
  readonly status: number;
  readonly startedAt: string;
  readonly ms: number;
  /** of a stream */
  readonly events?: number;
}

/** A piece of the list of exchanges: `GET /api/runs/:run/exchanges?from=…&count=…`. */
export interface ExchangePage {
  readonly total: number;
  readonly from: number;
  readonly lines: readonly ExchangeLine[];
}

/** What `GET /api/runs/:run` says of a run that goes on, or that found nothing to keep: its events can be followed. */
export interface LiveRunDocument {
  readonly run: string;
  readonly isLive: true;
}
