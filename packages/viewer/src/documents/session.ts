import type { Depth } from "@assay/suite/report";

/** The server of the page: `GET /api/session`. */
export interface SiteDocument {
  readonly version: string;
  /** the report formats that the page of a run offers */
  readonly formats: readonly string[];
  /** the agents of the command line and of assay.yaml; the first one is in the address bar when the page opens */
  readonly agents: readonly OfferedAgent[];
}

/** An agent that the operator named, with the settings of assay.yaml that the form of a test has. */
export interface OfferedAgent {
  readonly name?: string;
  readonly url: string;
  readonly depth?: Depth;
  readonly faults?: boolean;
}
