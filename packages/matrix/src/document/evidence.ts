import type { HarEntry, InterfaceName } from "@assay/suite/report";

/** What crossed between the two, recorded by our proxy and masked; what the checks of the suite say of it stands beside it. */
export interface MatrixExchange {
  readonly id: string;
  /** by its name in 1.0; absent for what is no call of an operation, such as the card */
  readonly operation?: string;
  readonly interface?: InterfaceName;
  readonly entry: HarEntry;
  readonly breaches: readonly ExchangeBreach[];
  /** why nothing is said about the server */
  readonly unjudged?: string;
}

/** A rule of the suite that this exchange breaks, and who breaks it. */
export interface ExchangeBreach {
  readonly party: "client" | "server";
  /** "STREAM-003" */
  readonly rule: string;
  readonly severity: "fail" | "warning";
  readonly message: string;
}
