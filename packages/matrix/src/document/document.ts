import type { MatrixCause } from "../causes/matrix-cause.ts";
import type { Cell } from "./cell.ts";
import type { Chain } from "./chain.ts";
import type { MatrixExchange } from "./evidence.ts";
import type { StaleKnownFailure } from "./known-failure.ts";

/** The format number of the document; readers reject other numbers. */
export const matrixFormat = 1;

/** All results of one matrix, for reports and for reading back. */
export interface MatrixDocument {
  readonly format: typeof matrixFormat;
  readonly tool: { readonly name: "assay"; readonly version: string };
  /** ISO 8601 */
  readonly startedAt: string;
  readonly finishedAt: string;
  /** of the work, over all sessions */
  readonly duration_ms: number;
  /** why it is incomplete: interrupted, or filtered */
  readonly partial?: string;
  readonly machine: { readonly cores: number; readonly memoryBytes: number; readonly node: string };
  readonly timeScale: number;
  readonly drivers: readonly MatrixDriver[];
  readonly scenarios: readonly MatrixScenario[];
  readonly cells: readonly Cell[];
  readonly chains: readonly Chain[];
  readonly causes: readonly MatrixCause[];
  /** by the ids in cells; a trimmed document has only those of red cells */
  readonly exchanges: Readonly<Record<string, MatrixExchange>>;
  readonly staleKnownFailures: readonly StaleKnownFailure[];
  /** exchanges were shortened, and those of green cells omitted */
  readonly trimmed?: true;
}

export const bindingNames = ["JSONRPC", "HTTP+JSON", "GRPC"] as const;
export type BindingName = (typeof bindingNames)[number];

export const matrixVersions = ["1.0", "0.3"] as const;
export type MatrixVersion = (typeof matrixVersions)[number];

export const driverRoles = ["client", "server"] as const;
export type DriverRole = (typeof driverRoles)[number];

/** An SDK that took part, or should have. */
export interface MatrixDriver {
  /** the folder under sdks/ */
  readonly name: string;
  readonly title: string;
  readonly language: string;
  readonly package: string;
  readonly version: string;
  readonly roles: Readonly<Partial<Record<DriverRole, SpokenBindings>>>;
  /** why it did not take part */
  readonly absent?: string;
}

export type SpokenBindings = Readonly<Partial<Record<MatrixVersion, readonly BindingName[]>>>;

/** One scenario of acceptance.yaml. */
export interface MatrixScenario {
  readonly id: string;
  readonly name: string;
  /** the suite that contains it */
  readonly group: string;
  readonly specRef?: string;
  /** why a client of an SDK cannot run this; then it has no cells */
  readonly notForClients?: string;
}
