import type { HarEntry } from "@assay/wire";
import type { ServedRecorder, TlsOptions } from "@assay/wire/server";
import type { LoggedRequest } from "../operating/request-log.ts";

/** A recorded agent. */
export interface RecordedAgent {
  readonly cardUrl: string;
  /** the addresses of its interfaces */
  readonly interfaces: readonly string[];
  /** in recorded order */
  readonly entries: readonly HarEntry[];
}

export interface RecordedAgentOptions {
  readonly host: string;
  readonly port: number;
  /** multiplies the recorded duration of streams */
  readonly timeScale?: number;
  readonly tls?: TlsOptions;
  readonly publicUrl?: string;
  readonly allowedHosts?: readonly string[];
  readonly onServed?: (request: LoggedRequest) => void;
  readonly recorder?: ServedRecorder;
  readonly onError?: (error: unknown) => void;
}
