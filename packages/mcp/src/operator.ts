import type { AllowedSecret } from "@assay/library/connection";
import type { RunFolder } from "@assay/library/runs";

/** The limits that the operator sets when the server starts. No argument of a tool can change them. */
export interface McpOperator {
  /** private networks may be contacted, too */
  readonly allowPrivate: boolean;
  /** hosts that may be contacted, whatever address they resolve to */
  readonly allowHosts: readonly string[];
  /** the secrets that tools may send, each to one place */
  readonly allowedSecrets: readonly AllowedSecret[];
  /** tools may start commands on this machine */
  readonly allowCommands: boolean;
  /** messages that one call may send */
  readonly callBudget: number;
  /** messages that all calls together may send */
  readonly totalBudget: number;
  /** keeps the runs */
  readonly folder: RunFolder;
  /** writes one line to the log, which is not the channel of the protocol */
  log(text: string): void;
}
