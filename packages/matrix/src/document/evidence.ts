import type { HarEntry, InterfaceName } from "@assay/suite/report";

/** A recorded and masked exchange between the two, with the results of the suite's checks. */
export interface MatrixExchange {
  readonly id: string;
  /** by its name in 1.0; absent if it is not an operation, such as the card */
  readonly operation?: string;
  readonly interface?: InterfaceName;
  readonly entry: HarEntry;
  readonly breaches: readonly ExchangeBreach[];
  /** why the server was not judged */
  readonly unjudged?: string;
}

/** A rule of the suite that this exchange breaks, and the party that breaks it. */
export interface ExchangeBreach {
  readonly party: "client" | "server";
  /** "STREAM-003" */
  readonly rule: string;
  readonly severity: "fail" | "warning";
  readonly message: string;
}
