import type { MatrixCause } from "../causes/matrix-cause.ts";
import type { Cell } from "./cell.ts";
import type { Chain } from "./chain.ts";
import type { MatrixExchange } from "./evidence.ts";
import type { StaleKnownFailure } from "./known-failure.ts";

/** The form of the document; another number: other readers. */
export const matrixFormat = 1;

/** Everything one matrix found: what reports are made of, and what is read back. */
export interface MatrixDocument {
  readonly format: typeof matrixFormat;
  readonly tool: { readonly name: "assay"; readonly version: string };
  /** ISO 8601 */
  readonly startedAt: string;
  readonly finishedAt: string;
  /** of the work, also over several sittings */
  readonly duration_ms: number;
  /** not all of it: interrupted, or narrowed by a filter */
  readonly partial?: string;
  readonly machine: { readonly cores: number; readonly memoryBytes: number; readonly node: string };
  readonly timeScale: number;
  readonly drivers: readonly MatrixDriver[];
  readonly scenarios: readonly MatrixScenario[];
  readonly cells: readonly Cell[];
  readonly chains: readonly Chain[];
  readonly causes: readonly MatrixCause[];
  /** by the ids that cells name; of a trimmed document only those of red cells */
  readonly exchanges: Readonly<Record<string, MatrixExchange>>;
  readonly staleKnownFailures: readonly StaleKnownFailure[];
  /** the content of exchanges was cut, and those of green cells left out */
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
  /** the suite it stands in */
  readonly group: string;
  readonly specRef?: string;
  /** why no client of an SDK can be asked to do this; then it has no cells */
  readonly notForClients?: string;
}
